import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useTexts } from '../texts/texts.tsx';

/** Keeps the frame alive when a screen fails; another address starts anew. */
export function Crash({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation();
  return <Boundary key={pathname}>{children}</Boundary>;
}

class Boundary extends Component<{ readonly children: ReactNode }, { readonly error: Error | undefined }> {
  override readonly state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Crashed error={error} />;
  }
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
