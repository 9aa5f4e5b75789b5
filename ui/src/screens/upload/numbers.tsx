import { SimpleGrid, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { useFormats } from '../../texts/formats.ts';
import { useLanguage, useTexts } from '../../texts/texts.tsx';
import { paceOf } from './engine/pace.ts';
import type { UploadRun, UploadState } from './engine/upload-run.ts';
import { secondsText } from './seconds-text.ts';

interface NumbersProps {
  readonly run: UploadRun;
  readonly state: UploadState;
}

/** What is done, how fast it goes and how long it takes. */
export function Numbers({ run, state }: NumbersProps) {
  const { upload } = useTexts();
  const { number, bytes } = useFormats();
  const language = useLanguage();
  const isRunning = state.phase === 'running';
  const { elapsed } = useElapsed(run, isRunning);
  const { rate, left } = paceOf({
    elapsed,
    statements: state.stored + state.failed,
    bytes: state.position - run.startedFrom,
    total: run.file.size - run.startedFrom,
  });
  const facts: [string, string][] = [
    [upload.bytesSent, upload.amountOf(bytes(state.position), bytes(run.file.size))],
    [upload.stored, number(state.stored)],
    [upload.failed, number(state.failed)],
    ...(state.skipped > 0 ? [[upload.skipped, number(state.skipped)] as [string, string]] : []),
    [upload.rate, upload.perSecond(number(Math.round(rate)))],
    isRunning
      ? [upload.timeLeft, left === undefined ? '–' : secondsText(left, language)]
      : [upload.timeTaken, secondsText(elapsed / 1000, language)],
  ];
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: facts.length }} spacing="sm" m={0}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

/** Milliseconds since the start, anew every second until the end. */
function useElapsed(run: UploadRun, isRunning: boolean): { readonly elapsed: number } {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), 1000, { autoInvoke: true });
  return { elapsed: (isRunning ? now : run.endedAt) - run.startedAt };
}
