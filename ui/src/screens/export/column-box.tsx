import { Group, Paper, ScrollArea, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface ColumnBoxProps {
  readonly title: string;
  /** Beside the title. */
  readonly tools?: ReactNode;
  /** Above what scrolls. */
  readonly head?: ReactNode;
  readonly children: ReactNode;
}

/** One of the two lists of columns side by side. */
export function ColumnBox({ title, tools, head, children }: ColumnBoxProps) {
  const titleId = useId();
  return (
    <Paper withBorder p="sm" component="section" aria-labelledby={titleId}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={3} size="h5" id={titleId}>
            {title}
          </Title>
          {tools}
        </Group>
        {head}
        <ScrollArea.Autosize
          mah={head === undefined ? 410 : 340}
          type="auto"
          offsetScrollbars="y"
          viewportProps={{ tabIndex: 0 }}
        >
          {children}
        </ScrollArea.Autosize>
      </Stack>
    </Paper>
  );
}
