import { Group, Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** By which column a table is sorted. */
export interface Sorting<Column extends string> {
  readonly column: Column;
  readonly descending: boolean;
}

interface SortHeaderProps<Column extends string> {
  readonly column: Column;
  readonly sorting: Sorting<Column>;
  readonly onSort: (sorting: Sorting<Column>) => void;
  readonly children: ReactNode;
}

/** The head of a column that sorts the table; once more turns the order round. */
export function SortHeader<Column extends string>(props: SortHeaderProps<Column>) {
  const { column, sorting, onSort, children } = props;
  const isActive = sorting.column === column;
  const { order, Icon } = directionOf(isActive, sorting.descending);
  return (
    <Table.Th role="columnheader" scope="col" aria-sort={order}>
      <UnstyledButton
        fz="sm"
        fw={700}
        mih={24}
        onClick={() => onSort({ column, descending: isActive && !sorting.descending })}
      >
        <Group gap={4} wrap="nowrap">
          {children}
          <Icon size={14} aria-hidden />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}

function directionOf(isActive: boolean, descending: boolean) {
  if (!isActive) return { order: 'none', Icon: IconArrowsSort } as const;
  return descending
    ? ({ order: 'descending', Icon: IconArrowDown } as const)
    : ({ order: 'ascending', Icon: IconArrowUp } as const);
}
