import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Boundary } from '../components/boundary.tsx';
import { useTexts } from '../texts/texts.tsx';

/** Keeps the frame alive when a screen fails; another address starts anew. */
export function Crash({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <Boundary key={pathname} fallback={(error) => <Crashed error={error} />}>
      {children}
    </Boundary>
  );
}

function Crashed({ error }: { readonly error: Error }) {
  const { common } = useTexts();
  return (
    <Alert color="red" title={common.crashedTitle} role="alert">
      <Stack align="flex-start">
        <Text size="sm">{common.crashedText}</Text>
        <Code>{error.message}</Code>
        <Button size="xs" onClick={() => window.location.reload()}>
          {common.reload}
        </Button>
      </Stack>
    </Alert>
  );
}
