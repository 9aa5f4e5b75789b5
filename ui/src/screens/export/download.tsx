import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { addressOf, type Query } from '../../api/address.ts';
import { callAdmin } from '../../api/client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { download } from '../../components/save-file.ts';
import { useObservable } from '../../observable/observable.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useLanguages } from '../../texts/use-names.ts';
import type { Filters } from '../statements/filters.ts';
import { currentExport, ExportRun } from './export-run.ts';
import { chooseTarget } from './export-target.ts';
import { exportQuery } from './queries.ts';
import { RunningExport } from './running-export.tsx';

interface DownloadProps {
  readonly filters: Filters;
  readonly columns: readonly PropertyPath[];
}

/** Starts the export: with progress in the page, or as a download of the browser's own. */
export function Download({ filters, columns }: DownloadProps) {
  const { export: texts } = useTexts();
  const table = { columns, languages: useLanguages() };
  const run = useObservable(currentExport);
  const start = useMutation({
    mutationFn: async () => {
      const target = await chooseTarget(fileName());
      if (target !== undefined) currentExport.set(new ExportRun(exportQuery(filters, table), target));
    },
  });
  const link = useMutation({ mutationFn: () => downloadByLink(exportQuery(filters, table)) });
  const error = start.error ?? link.error;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={columns.length === 0}
          onClick={() => {
            run?.cancel();
            start.mutate();
          }}
        >
          {texts.download}
        </Button>
        <Button variant="default" disabled={columns.length === 0} onClick={() => link.mutate()}>
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
async function downloadByLink(query: Query): Promise<void> {
  const { 'json-web-token': token } = await callAdmin<{ readonly 'json-web-token': string }>('csv/auth');
  download(addressOf('admin/csv', { token, ...query }), fileName());
}

function fileName(): string {
  return `statements-${new Date().toISOString().slice(0, 10)}.csv`;
}
