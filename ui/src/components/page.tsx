import { Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageHeading } from './use-page-heading.ts';

interface PageProps {
  readonly title: string;
  /** Beside the title, such as the button that creates something. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every screen: its one heading of the first level, which also names the browser's tab. */
export function Page({ title, actions, children }: PageProps) {
  const heading = usePageHeading(title);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
