import { Button, Group, Pagination, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { saveFile } from '../../components/save-file.ts';
import { useListTop } from '../../components/use-list-top.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { UploadRun, UploadState } from './engine/upload-run.ts';
import { FailureTable } from './failure-table.tsx';

const pageSize = 25;

interface FailuresProps {
  readonly run: UploadRun;
  readonly state: UploadState;
}

/** The statements that were put aside, and why. */
export function Failures({ run, state: { failures, failed } }: FailuresProps) {
  const { upload } = useTexts();
  const { number } = useFormats();
  const [page, setPage] = useState(1);
  const list = useListTop(page);
  const baseName = run.file.name.replace(/\.gz$/i, '').replace(/\.[^.]*$/, '');
  return (
    <Stack ref={list} component="section" aria-labelledby="upload-failures" gap="sm" className="below-header">
      <Group justify="space-between">
        <Title order={2} size="h4" id="upload-failures">
          {upload.failuresTitle(number(failed))}
        </Title>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => saveFile(run.files.statements(), `${baseName}-failed.ndjson`)}
          >
            {upload.downloadStatements}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => saveFile(run.files.reasons(), `${baseName}-reasons.csv`)}
          >
            {upload.downloadReasons}
          </Button>
        </Group>
      </Group>
      <Text size="sm">{upload.failuresText}</Text>
      <FailureTable
        label={upload.failuresTitle(number(failed))}
        failures={failures.slice((page - 1) * pageSize, page * pageSize)}
      />
      {failures.length > pageSize && (
        <Pagination
          total={Math.ceil(failures.length / pageSize)}
          value={page}
          onChange={setPage}
          aria-label={upload.failurePages}
          getItemProps={(each) => ({ 'aria-label': upload.page(each) })}
          getControlProps={(control) => ({
            'aria-label': control === 'next' ? upload.nextPage : upload.previousPage,
          })}
        />
      )}
      {failed > failures.length && <Text size="sm">{upload.shownOnly(number(failures.length))}</Text>}
    </Stack>
  );
}
