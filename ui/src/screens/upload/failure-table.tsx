import { Code, Table } from '@mantine/core';
import { ScrollTable } from '../../components/scroll-table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { Failure } from './engine/entries.ts';

interface FailureTableProps {
  readonly failures: readonly Failure[];
  readonly label: string;
}

/** A line for each reason; a statement may have several. */
export function FailureTable({ failures, label }: FailureTableProps) {
  const { upload } = useTexts();
  const heads = [upload.row, upload.line, upload.id, upload.path, upload.reason, upload.section];
  return (
    <ScrollTable label={label} minWidth={800}>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head} scope="col">
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {failures.map((failure) => (
          <FailureRows key={failure.index} failure={failure} />
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

function FailureRows({ failure: { index, line, id, reasons } }: { readonly failure: Failure }) {
  const { number } = useFormats();
  const rowSpan = reasons.length;
  return reasons.map(({ path, message, section }, at) => (
    <Table.Tr key={`${path} ${message}`}>
      {at === 0 && (
        <>
          <Table.Th scope="rowgroup" rowSpan={rowSpan} fw={400}>
            {number(index)}
          </Table.Th>
          <Table.Td rowSpan={rowSpan}>{number(line)}</Table.Td>
          <Table.Td rowSpan={rowSpan}>
            {id !== undefined && <Code className="wrap-anywhere">{id}</Code>}
          </Table.Td>
        </>
      )}
      <Table.Td>{path !== '' && <Code className="wrap-anywhere">{path}</Code>}</Table.Td>
      <Table.Td className="wrap-anywhere">{message}</Table.Td>
      <Table.Td>{section}</Table.Td>
    </Table.Tr>
  ));
}
