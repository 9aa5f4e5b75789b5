import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ApiError, ConnectionError } from '../api/errors.ts';
import { useTexts } from '../texts/texts.tsx';

interface ErrorNoticeProps {
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** What went wrong, in the server's words where it has said something, and what can be done. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  const { common } = useTexts();
  const details = error instanceof ApiError ? error.details : [];
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={common.failed} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="wrap-anywhere">
          {error instanceof ConnectionError ? common.noConnection : `${common.serverSaid}: ${error.message}`}
        </Text>
        {details.length > 1 && (
          <List size="sm">
            {details.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`} className="wrap-anywhere">
                {path}: {message}
              </List.Item>
            ))}
          </List>
        )}
        <Remedy error={error} />
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function Remedy({ error }: { readonly error: Error }) {
  const { common } = useTexts();
  if (!(error instanceof ApiError)) return null;
  if (error.retryAfter !== undefined) return <Text size="sm">{common.retryAfter(error.retryAfter)}</Text>;
  return error.code === 'forbidden' ? <Text size="sm">{common.notPermitted}</Text> : null;
}
