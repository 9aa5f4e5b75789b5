import { Alert, Anchor, List, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ApiError } from '../../../api/errors.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { pathText } from '../../../xapi/property-path.ts';
import { titleError } from '../title-taken.ts';
import { notesOf } from './notes.ts';
import { NoteDetail, NoteText } from './notes-view.tsx';

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
    return <ErrorNotice title={title} error={error} {...(onRetry && !isRefusal(error) && { onRetry })} />;
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
            <NoteText note={note} />
            <NoteDetail note={note} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The same ruleset is refused again. */
function isRefusal(error: Error): boolean {
  return error instanceof ApiError && error.code === 'invalid';
}
