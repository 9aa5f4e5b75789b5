import { Code, Table } from '@mantine/core';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { Failure } from './engine/entries.ts';

/** A line for each reason; a statement may have several. */
export function FailureTable({ failures }: { readonly failures: readonly Failure[] }) {
  const { upload } = useTexts();
  const heads = [upload.row, upload.line, upload.id, upload.path, upload.reason, upload.section];
  return (
    <Table.ScrollContainer minWidth={800} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-labelledby="upload-failures" verticalSpacing={4} withTableBorder>
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
      </Table>
    </Table.ScrollContainer>
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
