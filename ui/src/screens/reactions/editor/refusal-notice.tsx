import { Alert, Anchor, List, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ApiError } from '../../../api/errors.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { ServerText } from '../../../components/server-text.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { pathText } from '../../../xapi/property-path.ts';
import { titleError } from '../title-taken.ts';
import { noteText } from './note-text.ts';
import { notesOf } from './notes.ts';

interface RefusalNoticeProps {
  readonly title: string;
  readonly error: Error;
  readonly onRetry?: () => void;
  /** Gives the focus to the field of the title. */
  readonly onTitle?: () => void;
}

/** Why the server does not take a reaction: every place and the rule that it breaks. Any other error as everywhere. */
export function RefusalNotice({ title, error, onRetry, onTitle }: RefusalNoticeProps) {
  const { reactions } = useTexts();
  const places = error instanceof ApiError ? error.details.filter(({ path }) => path.startsWith('$')) : [];
  const aboutTitle = titleError(error, reactions);
  if (places.length === 0 && aboutTitle === undefined)
    return <ErrorNotice title={title} error={error} {...(onRetry && { onRetry })} />;
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={title} role="alert">
      {aboutTitle !== undefined && (
        <Text size="sm">
          {aboutTitle}{' '}
          {onTitle && (
            <Anchor component="button" type="button" size="sm" mih={24} onClick={onTitle}>
              {reactions.goToTitle}
            </Anchor>
          )}
        </Text>
      )}
      {places.length > 0 && <Text size="sm">{reactions.refused}</Text>}
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
