import { Alert, List, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ApiError } from '../../../api/errors.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { ServerText } from '../../../components/server-text.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { pathText } from '../../../xapi/property-path.ts';
import { noteText } from './note-text.ts';
import { notesOf } from './notes.ts';

interface RefusalNoticeProps {
  readonly title: string;
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** Why the server does not take a ruleset: every place and the rule that it breaks. Any other error as everywhere. */
export function RefusalNotice({ title, error, onRetry }: RefusalNoticeProps) {
  const { reactions } = useTexts();
  const places = error instanceof ApiError ? error.details.filter(({ path }) => path.startsWith('$')) : [];
  if (places.length === 0) return <ErrorNotice title={title} error={error} {...(onRetry && { onRetry })} />;
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={title} role="alert">
      <Text size="sm">{reactions.refused}</Text>
      <List size="sm">
        {notesOf(places, 'error').map((note) => (
          <List.Item key={`${pathText(note.path)} ${note.message}`} className="wrap-anywhere">
            {note.path.length > 0 && `${pathText(note.path)}: `}
            {noteText(note.rule, reactions)}
            <ServerText>{note.message}</ServerText>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
