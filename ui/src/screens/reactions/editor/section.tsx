import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { listMarks } from './remove-button.tsx';

interface SectionProps {
  readonly title: string;
  /** What it is for. */
  readonly text: string;
  readonly children: ReactNode;
}

/** A part of the editor. */
export function Section({ title, text, children }: SectionProps) {
  const titleId = useId();
  return (
    <Stack gap="xs" component="section" aria-labelledby={titleId} {...listMarks.list}>
      <Title order={2} size="h4" id={titleId}>
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {children}
    </Stack>
  );
}
