import { Button, Group, Paper, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { LiveTail } from './use-live-tail.ts';

interface LiveBarProps {
  readonly live: LiveTail;
  /** Where reading pauses it. */
  readonly table: RefObject<HTMLElement | null>;
}

/** Says what comes in, and pauses: by its button, and when the operator scrolls or selects what he reads. */
export function LiveBar({ live, table }: LiveBarProps) {
  const { statements } = useTexts();
  const { tail, isPaused, waiting, error, pause, goOn } = live;
  usePauseWhileReading(table, { isPaused, pause });
  return (
    <>
      <Paper withBorder px="sm" py={6}>
        <Group gap="sm">
          <Button
            size="xs"
            variant="default"
            leftSection={
              isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
            }
            onClick={isPaused ? goOn : pause}
          >
            {isPaused ? statements.goOn : statements.pause}
          </Button>
          <Text size="sm" role="status">
            {isPaused ? statements.paused(waiting) : tail && statements.following(tail.arrived)}
          </Text>
        </Group>
      </Paper>
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}

/** Pixels that the page may move without anybody meaning it. */
const slack = 40;

function usePauseWhileReading(
  table: RefObject<HTMLElement | null>,
  { isPaused, pause }: Pick<LiveTail, 'isPaused' | 'pause'>,
): void {
  const onRead = useEffectEvent(pause);
  useEffect(() => {
    if (isPaused) return;
    const start = window.scrollY;
    const onScroll = () => {
      if (Math.abs(window.scrollY - start) > slack) onRead();
    };
    const onSelect = () => {
      const selection = document.getSelection();
      if (selection?.isCollapsed === false && table.current?.contains(selection.anchorNode)) onRead();
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    document.addEventListener('selectionchange', onSelect);
    return () => {
      window.removeEventListener('scroll', onScroll);
      document.removeEventListener('selectionchange', onSelect);
    };
  }, [isPaused, table]);
}
