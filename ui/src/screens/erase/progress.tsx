import { Group, Loader, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';

interface ProgressProps {
  readonly text: string;
  readonly hint: string;
}

/** Something that the server takes its time for, and how long it has taken so far. */
export function Progress({ text, hint }: ProgressProps) {
  const { erase: texts } = useTexts();
  const [seconds, setSeconds] = useState(0);
  useInterval(() => setSeconds((before) => before + 1), 1000, { autoInvoke: true });
  return (
    <Group aria-busy wrap="nowrap">
      <Loader size="sm" />
      <Stack gap={0}>
        <Text role="status">{text}</Text>
        <Text size="sm" c="dimmed">
          {hint} {texts.seconds(seconds)}
        </Text>
      </Stack>
    </Group>
  );
}
