import { Alert, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ReactionDetails, ShownError } from '../../../../../lib/reactions/service-types.ts';
import { reactionsQuery, replayReaction } from '../../../api/reactions.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { fieldError, restOf } from '../../../components/field-errors.ts';
import { ServerText } from '../../../components/server-text.tsx';
import { TimeInput } from '../../../components/time-input.tsx';
import { useFocusKept } from '../../../components/use-focus-kept.ts';
import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { FailureView } from '../failure-view.tsx';

/** Has a reaction look at past statements once more, and says how far it is. */
export function ReplayForm({ reaction }: { readonly reaction: ReactionDetails }) {
  const { reactions } = useTexts();
  const { number } = useFormats();
  const queries = useQueryClient();
  const { id, active, missed, created, replay, version, fired } = reaction;
  const [chosen, setChosen] = useState<string>();
  const from = chosen ?? missed?.from ?? replay?.from ?? created;
  const start = useMutation({
    mutationFn: () => replayReaction(id, from),
    onSuccess: () => queries.invalidateQueries({ queryKey: reactionsQuery.queryKey }),
  });
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(start.isPending, { button });
  const rest = restOf(start.error, ['from']);
  return (
    <Stack gap="xs" component="section" aria-label={reactions.replay}>
      <Title order={3} size="h5">
        {reactions.replay}
      </Title>
      <Text size="sm" c="dimmed">
        {active ? reactions.replayText : reactions.replayNeedsActive}
      </Text>
      {active && version > 1 && fired > 0 && (
        <Text size="sm">{reactions.replayOfVersion(number(version))}</Text>
      )}
      <Group gap="xs" align="flex-end">
        <TimeInput
          label={reactions.replayFrom}
          value={from}
          error={fieldError(start.error, 'from') && reactions.replayFromRefused}
          onChange={setChosen}
        />
        <Button
          ref={button}
          variant="default"
          loading={start.isPending}
          disabled={!active || from === ''}
          onClick={() => start.mutate()}
        >
          {reactions.replayAction}
        </Button>
      </Group>
      {rest !== null && <ErrorNotice error={rest} />}
      {replay !== undefined && <Progress replay={replay} />}
      {missed !== undefined && <MissedRange missed={missed} />}
    </Stack>
  );
}

function Progress({ replay }: { readonly replay: NonNullable<ReactionDetails['replay']> }) {
  const { reactions } = useTexts();
  const { dateTime, number } = useFormats();
  const { from, through, reached, state, error, failed, refused, problems } = replay;
  const color = failed + refused > 0 ? 'yellow' : 'blue';
  return (
    <Alert color={error === null ? color : 'red'} p="xs" role="status" title={reactions.replayStates[state]}>
      <Text size="sm">{reactions.replayRange(dateTime(from), dateTime(through))}</Text>
      {state !== 'done' && <Text size="sm">{reactions.replayReached(dateTime(reached))}</Text>}
      {failed > 0 && <Text size="sm">{reactions.replayFailed(failed, number)}</Text>}
      {refused > 0 && <Text size="sm">{reactions.replayRefused(refused, number)}</Text>}
      {problems.length > 0 && <Problems problems={problems} />}
      {error !== null && <ServerText>{error}</ServerText>}
    </Alert>
  );
}

/** Why matches have failed or were refused, and for which statement each reason was found last. */
function Problems({ problems }: { readonly problems: readonly ShownError[] }) {
  const { reactions } = useTexts();
  return (
    <>
      <Text size="sm" mt={4}>
        {reactions.replayProblems}
      </Text>
      <List size="sm">
        {problems.map((problem) => (
          <List.Item key={`${problem.type} ${problem.message}`}>
            <FailureView error={problem} hasRemedy />
          </List.Item>
        ))}
      </List>
    </>
  );
}

function MissedRange({ missed }: { readonly missed: NonNullable<ReactionDetails['missed']> }) {
  const { reactions } = useTexts();
  const { dateTime } = useFormats();
  return <Text size="sm">{reactions.missedText(dateTime(missed.from), dateTime(missed.through))}</Text>;
}
