import { Anchor, Group, Paper, Progress, Table, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';

interface FrequencyTableProps {
  readonly title: string;
  /** What the rows name. */
  readonly column: string;
  readonly rows: readonly FrequencyRow[];
  /** All statements. */
  readonly total: number;
}

interface FrequencyRow {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  /** Of the screen with its statements. */
  readonly address?: string;
}

/** Names with their number of statements, as numbers and as bars. */
export function FrequencyTable({ title, column, rows, total }: FrequencyTableProps) {
  const { overview: texts } = useTexts();
  const heading = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={heading}>
      <Title order={2} size="h4" mb="xs" id={heading}>
        {title}
      </Title>
      <Table aria-labelledby={heading} layout="fixed" verticalSpacing={6} horizontalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{column}</Table.Th>
            <Table.Th scope="col" w={120} ta="right">
              {texts.statements}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} total={total} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Row({ row, total }: { readonly row: FrequencyRow; readonly total: number }) {
  const { id, name, count, address } = row;
  const { number, percent } = useFormats();
  const share = total === 0 ? 0 : count / total;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} className="wrap-anywhere">
        {address === undefined ? (
          name
        ) : (
          <Anchor component={Link} to={address} size="sm" title={id}>
            {name}
          </Anchor>
        )}
        <Progress value={share * 100} size="sm" mt={4} aria-hidden />
      </Table.Th>
      <Table.Td ta="right">
        <Group gap={6} justify="flex-end" wrap="nowrap">
          {number(count)}
          <Text span size="sm" c="dimmed" w={56}>
            {percent(share)}
          </Text>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
