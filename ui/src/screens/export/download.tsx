import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { addressOf } from '../../api/address.ts';
import { callAdmin } from '../../api/client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { download } from '../../components/save-file.ts';
import { useObservable } from '../../observable/observable.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { ExportFile } from './export-file.ts';
import { currentExport, ExportRun } from './export-run.ts';
import { chooseTarget } from './export-target.ts';
import { RunningExport } from './running-export.tsx';

interface DownloadProps {
  /** On the button. */
  readonly label: string;
  /** Whether nothing can be downloaded yet. */
  readonly isOff: boolean;
  /** Makes the file that is downloaded now. */
  readonly file: () => ExportFile;
}

/** Starts the export: with progress in the page, or as a download of the browser's own. */
export function Download({ label, isOff, file }: DownloadProps) {
  const { export: texts } = useTexts();
  const run = useObservable(currentExport);
  const start = useMutation({
    mutationFn: async () => {
      const wanted = file();
      const target = await chooseTarget(wanted);
      if (target !== undefined) currentExport.set(new ExportRun(wanted, target));
    },
  });
  const link = useMutation({ mutationFn: () => downloadByLink(file()) });
  const error = start.error ?? link.error;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={isOff}
          onClick={() => {
            run?.cancel();
            start.mutate();
          }}
        >
          {label}
        </Button>
        <Button variant="default" disabled={isOff} onClick={() => link.mutate()}>
          {texts.downloadByBrowser}
        </Button>
        <Text size="xs" c="dimmed">
          {texts.downloadHint}
        </Text>
      </Group>
      {error !== null && <ErrorNotice error={error} />}
      {run !== undefined && <RunningExport run={run} />}
    </Stack>
  );
}

/** The address is good once, and never stands in the address bar. */
async function downloadByLink({ path, query, name }: ExportFile): Promise<void> {
  const { 'json-web-token': token } = await callAdmin<{ readonly 'json-web-token': string }>('csv/auth');
  download(addressOf(`admin/${path}`, { token, ...query }), name);
}
