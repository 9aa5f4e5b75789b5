import { Stack, Table, Title } from '@mantine/core';
import type { RowCounts } from '../../api/erasure.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';

interface CountsProps {
  readonly title: string;
  readonly rows: RowCounts;
}

/** How much of what there is, or was. */
export function Counts({ title, rows }: CountsProps) {
  const { erase: texts } = useTexts();
  const { number } = useFormats();
  const names = new Map(Object.entries(texts.tables));
  return (
    <Stack gap="xs" maw={520} role="status">
      <Title order={2} size="h4" className="wrap-anywhere">
        {title}
      </Title>
      <Table aria-label={title} verticalSpacing={6}>
        <Table.Tbody>
          {Object.entries(rows).map(([table, count]) => (
            <Table.Tr key={table}>
              <Table.Th scope="row" fw={500}>
                {names.get(table) ?? table}
              </Table.Th>
              <Table.Td ta="right">{number(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
