import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { ConnectionError } from './api/errors.ts';
import { PartError } from './api/parts.ts';

/** Neither the settings nor a language is known yet, so this one text is in English. */
export function StartFailure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <Center mih="100vh" component="main">
      <Stack align="center" maw={480} p="md" role="alert">
        <Title order={1} size="h2">
          The screen could not be started
        </Title>
        <Text ta="center">{textOf(error)}</Text>
        <Button onClick={onRetry}>Try again</Button>
      </Stack>
    </Center>
  );
}

function textOf(error: Error): string {
  if (error instanceof ConnectionError) {
    return 'The server cannot be reached. Check that it is running and that this device is online, then try again.';
  }
  if (error instanceof PartError) return 'A part of it could not be loaded. Try again.';
  return `${error.message} Try again.`;
}
