import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Missed } from '../../../../lib/reactions/service-types.ts';
import { reactionsQuery, replayReaction } from '../../api/reactions.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useFocusKept } from '../../components/use-focus-kept.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';

/** A reaction that is active again, and what it has not looked at while it was not. */
export interface MissedStatements {
  readonly id: string;
  readonly title: string;
  readonly range: Missed;
}

interface MissedNoticeProps {
  readonly missed: MissedStatements;
  readonly onClose: () => void;
}

/** Says since when statements were not looked at, and offers to do it now. */
export function MissedNotice({ missed: { id, title, range }, onClose }: MissedNoticeProps) {
  const { common, reactions } = useTexts();
  const { dateTime } = useFormats();
  const queries = useQueryClient();
  const replay = useMutation({
    mutationFn: () => replayReaction(id, range.from),
    onSuccess: () => queries.invalidateQueries({ queryKey: reactionsQuery.queryKey }),
  });
  const notice = useRef<HTMLDivElement>(null);
  useFocusKept(replay.isPending, { button: notice });
  const { from, through } = range;
  if (replay.error !== null) return <ErrorNotice error={replay.error} onRetry={() => replay.mutate()} />;
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      color={replay.isSuccess ? 'green' : 'yellow'}
      title={reactions.resumedTitle(title)}
      role="status"
      withCloseButton
      closeButtonLabel={common.close}
      onClose={onClose}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {replay.isSuccess
            ? reactions.replayStarted
            : reactions.missedText(dateTime(from), dateTime(through))}
        </Text>
        {!replay.isSuccess && (
          <Group gap="xs">
            <Button size="xs" loading={replay.isPending} onClick={() => replay.mutate()}>
              {reactions.replayMissed}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
