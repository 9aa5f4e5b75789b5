import { Button, Center, Stack, Text, Title } from '@mantine/core';

/** Neither the settings nor a language is known yet, so this one text is in English. */
export function StartFailure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <Center mih="100vh" component="main">
      <Stack align="center" maw={480} p="md" role="alert">
        <Title order={1} size="h2">
          The server does not answer
        </Title>
        <Text ta="center">The settings could not be read: {error.message}</Text>
        <Button onClick={onRetry}>Try again</Button>
      </Stack>
    </Center>
  );
}
