import { Paper, ScrollArea, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface ColumnBoxProps {
  readonly title: string;
  /** Above what scrolls. */
  readonly head?: ReactNode;
  readonly children: ReactNode;
}

/** One of the two lists of columns side by side. */
export function ColumnBox({ title, head, children }: ColumnBoxProps) {
  const titleId = useId();
  return (
    <Paper withBorder p="sm" component="section" aria-labelledby={titleId}>
      <Stack gap="xs">
        <Title order={3} size="h5" id={titleId}>
          {title}
        </Title>
        {head}
        <ScrollArea.Autosize mah={340} type="auto" viewportProps={{ tabIndex: 0 }}>
          {children}
        </ScrollArea.Autosize>
      </Stack>
    </Paper>
  );
}
