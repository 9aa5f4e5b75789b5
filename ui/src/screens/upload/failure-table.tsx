import { Code } from '@mantine/core';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { Failure } from './engine/entries.ts';

interface FailureTableProps {
  readonly failures: readonly Failure[];
  readonly label: string;
}

/** A row for each reason; a statement may have several. */
export function FailureTable({ failures, label }: FailureTableProps) {
  const { upload } = useTexts();
  const { number } = useFormats();
  const rows = failures.flatMap((failure) => failure.reasons.map((reason) => ({ ...failure, ...reason })));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { key: 'row', title: upload.row, cell: ({ index }) => number(index) },
    { key: 'line', title: upload.line, cell: ({ line }) => number(line) },
    { key: 'id', title: upload.id, cell: ({ id }) => id !== undefined && <Code>{id}</Code> },
    { key: 'path', title: upload.path, cell: ({ path }) => path !== '' && <Code>{path}</Code> },
    { key: 'reason', title: upload.reason, cell: ({ message }) => message },
    { key: 'section', title: upload.section, cell: ({ section }) => section },
  ];
  return (
    <DataTable
      label={label}
      minWidth={800}
      columns={columns}
      rows={rows}
      keyOf={({ index, path, message }) => `${index} ${path} ${message}`}
    />
  );
}
