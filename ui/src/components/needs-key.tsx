import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useCredentials } from '../api/credentials.ts';
import { useXapi, type XapiAccess } from '../api/xapi.ts';
import { useTexts } from '../texts/texts.tsx';
import { ErrorNotice } from './error-notice.tsx';

/** Shows what needs the xAPI, or says how to get a key pair for it. */
export function NeedsKey({ children }: { readonly children: (xapi: XapiAccess) => ReactNode }) {
  const { frame } = useTexts();
  const { isPending, error, refetch } = useCredentials();
  const xapi = useXapi();
  if (isPending) return <Loader />;
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (xapi !== undefined) return children(xapi);
  return (
    <Alert title={frame.needsKey}>
      <Stack align="flex-start">
        <Text size="sm">{frame.needsKeyText}</Text>
        <Button component={Link} to="/credentials" size="xs">
          {frame.createKey}
        </Button>
      </Stack>
    </Alert>
  );
}
