import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { PartError } from '../api/parts.ts';
import { useTexts } from '../texts/texts.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface PartFailureProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Says that a part of the screen could not be loaded, why, and what helps. */
export function PartFailure({ error, onRetry }: PartFailureProps) {
  const { common } = useTexts();
  if (!(error instanceof PartError)) return <ErrorNotice error={error} onRetry={onRetry} />;
  return (
    <Alert
      color={error.isOutdated ? 'blue' : 'red'}
      title={error.isOutdated ? common.outdatedTitle : common.partTitle}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error.isOutdated ? common.outdatedText : common.partText}</Text>
        <Group gap="xs">
          {!error.isOutdated && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {common.retry}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => window.location.reload()}>
            {common.reload}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
