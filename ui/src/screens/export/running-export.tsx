import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { ApiError } from '../../api/errors.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useObservable } from '../../observable/observable.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { ExportRun } from './export-run.ts';

/** How far an export is, or what became of it. */
export function RunningExport({ run }: { readonly run: ExportRun }) {
  const { export: texts, common } = useTexts();
  const { number, bytes: inBytes } = useFormats();
  const { phase, rows, bytes, error } = useObservable(run.state);
  const amount = rows === undefined ? inBytes(bytes) : texts.amount(number(rows), inBytes(bytes));
  if (phase === 'failed') return <FailedExport error={error} amount={amount} />;
  if (phase === 'running') {
    return (
      <Alert>
        <Group gap="sm">
          <Loader size="sm" role="progressbar" aria-label={texts.progress} aria-valuetext={amount} />
          <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {texts.running} {amount}
          </Text>
          <Button size="xs" variant="default" onClick={() => run.cancel()}>
            {common.cancel}
          </Button>
        </Group>
      </Alert>
    );
  }
  return (
    <Alert color={phase === 'done' ? 'green' : 'yellow'} role="status">
      {phase === 'done' ? texts.done : texts.cancelled} {amount}
    </Alert>
  );
}

interface FailedExportProps {
  readonly error: Error | undefined;
  readonly amount: string;
}

/** The server says what helps, e.g. how to narrow an export that a gateway can't carry. */
function FailedExport({ error, amount }: FailedExportProps) {
  const { export: texts } = useTexts();
  if (error instanceof ApiError) return <ErrorNotice error={error} />;
  return (
    <Alert color="red" role="alert" title={texts.brokenOff}>
      <Stack gap={4}>
        <Text size="sm">{amount}</Text>
        <Text size="sm">{texts.brokenOffText}</Text>
        <Text size="sm" className="wrap-anywhere">
          {error?.message}
        </Text>
      </Stack>
    </Alert>
  );
}
