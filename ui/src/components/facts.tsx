import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Fact {
  readonly name: string;
  /** What is undefined is left out. */
  readonly value: ReactNode;
}

/** Names and values below each other, as a table with a head for each row. */
export function Facts({ label, facts }: { readonly label: string; readonly facts: readonly Fact[] }) {
  const known = facts.filter(({ value }) => value !== undefined);
  return (
    <Table aria-label={label} verticalSpacing={6} layout="fixed">
      <Table.Tbody>
        {known.map(({ name, value }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="30%" fw={500} className="wrap-anywhere">
              {name}
            </Table.Th>
            <Table.Td className="wrap-anywhere">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
