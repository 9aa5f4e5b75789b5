import { Stack, Text } from '@mantine/core';
import type { ShownError } from '../../../../lib/reactions/service-types.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { failureText, remedyText } from './failure-text.ts';
import { firstSentences } from './first-sentences.ts';
import { StatementAnchor } from './statement-anchor.tsx';

interface FailureViewProps {
  readonly error: ShownError;
  /** Whether there is room to say what helps. */
  readonly hasRemedy?: boolean;
  /** Whether the page with it stays when a link is followed. */
  readonly isApart?: boolean;
}

/** Characters of a message where there is little room. */
const longest = 200;

/** What stopped a reaction in plain words, what helps against it, the server's words, and by which statement it was and when. */
export function FailureView({ error, hasRemedy = false, isApart = false }: FailureViewProps) {
  const { reactions } = useTexts();
  const { dateTime } = useFormats();
  const { message, remedy, triggerId, time } = error;
  return (
    <Stack gap={2}>
      <Text size="sm">{failureText(error, reactions)}</Text>
      {hasRemedy && <Text size="sm">{remedyText(error, reactions) ?? remedy}</Text>}
      <Text
        size="xs"
        className="wrap-anywhere"
        lang="en"
        title={message}
        {...(!hasRemedy && { c: 'dimmed' })}
      >
        {hasRemedy ? message : firstSentences(message, longest)}
      </Text>
      <Text size="xs" component="div">
        {dateTime(time)}, {reactions.trigger}: <StatementAnchor id={triggerId} isApart={isApart} />
      </Text>
    </Stack>
  );
}
