import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageHeading } from '../components/use-page-heading.ts';
import { useProduct } from '../texts/use-product.ts';

interface EntryPageProps {
  readonly title: string;
  /** Pixels. */
  readonly width?: number;
  readonly children: ReactNode;
}

/** A page for whoever is not inside. */
export function EntryPage({ title, width = 400, children }: EntryPageProps) {
  const product = useProduct();
  const heading = usePageHeading(title);
  return (
    <Center mih="100vh" component="main" p="md">
      <Paper withBorder shadow="sm" p="xl" w={width} maw="100%">
        <Stack>
          <div>
            <Title order={1} size="h2" ref={heading} tabIndex={-1}>
              {title}
            </Title>
            <Text c="dimmed" className="wrap-anywhere">
              {product}
            </Text>
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
