import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { currentUpload } from './engine/desk.ts';
import type { UploadRun, UploadState } from './engine/upload-run.ts';

interface SummaryProps {
  readonly run: UploadRun;
  readonly state: UploadState;
}

/** What became of an upload, and what can be done next. */
export function Summary({ run, state: { phase, stored, skipped, failed, error } }: SummaryProps) {
  const { upload } = useTexts();
  const { number } = useFormats();
  const isWell = phase === 'done' && failed === 0;
  const isRefused = phase === 'done' && failed > 0 && stored + skipped === 0;
  const titles = {
    running: '',
    done: isRefused ? upload.nothingStored : upload.done,
    cancelled: upload.cancelled,
    unreadable: upload.unreadable,
  };
  return (
    <Alert color={isWell ? 'green' : isRefused ? 'red' : 'yellow'} role="status" title={titles[phase]}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{upload.outcome(number(stored + skipped), number(failed))}</Text>
        {phase === 'done' && stored + skipped + failed === 0 && <Text size="sm">{upload.empty}</Text>}
        {isRefused && <Text size="sm">{upload.nothingStoredText}</Text>}
        {phase === 'unreadable' && (
          <Text size="sm">{upload.unreadableText(error?.message ?? run.file.name)}</Text>
        )}
        {phase !== 'done' && <Text size="sm">{upload.resumeLater}</Text>}
        <Group>
          <Button size="xs" onClick={() => currentUpload.set(undefined)}>
            {upload.another}
          </Button>
          <Button size="xs" variant="default" component={Link} to="/statements">
            {upload.showStatements}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
