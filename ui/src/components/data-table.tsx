import { Table } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './scroll-table.module.css';
import { ScrollTable } from './scroll-table.tsx';
import { SortHeader, type Sorting } from './sort-header.tsx';
import { useRowClick } from './use-row-click.ts';

export interface Column<Row, Key extends string = string> {
  /** Unique in its table. */
  readonly key: string;
  /** The head of the column; on a card, the label of the value. */
  readonly title: string;
  readonly width?: CSSProperties['width'];
  readonly align?: 'right';
  readonly noWrap?: boolean;
  /** Under which name the table is sorted by it; a column without one is not sorted by. */
  readonly sortKey?: Key;
  /** The value. What opens the row carries `data-row`: a click anywhere else in the row is one on it. */
  readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row, Key extends string> {
  /** Names the table for those who don't see what stands above it. */
  readonly label: string;
  /** The first one is the title of a card. */
  readonly columns: readonly Column<Row, Key>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Pixels below which the table scrolls, as long as it is wide enough not to become cards. */
  readonly minWidth?: number;
  /** Whether a click on a row opens something. */
  readonly opens?: boolean;
  readonly sorting?: Sorting<Key>;
  readonly onSort?: (sorting: Sorting<Key>) => void;
}

/**
 * A table whose rows become cards where the page is narrow. The roles are explicit, because browsers take an element that is
 * laid out as a block for none of a table.
 */
export function DataTable<Row, Key extends string>(props: DataTableProps<Row, Key>) {
  const { label, columns, rows, keyOf, minWidth, opens = false, sorting, onSort } = props;
  return (
    <ScrollTable label={label} hasCards {...(minWidth !== undefined && { minWidth })}>
      <Table.Thead
        role="rowgroup"
        className={classes.head}
        data-sortable={columns.some(({ sortKey }) => sortKey !== undefined) || undefined}
      >
        <Table.Tr role="row">
          {columns.map((column) => (
            <Head key={column.key} column={column} sorting={sorting} onSort={onSort} />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup" className={classes.body}>
        {rows.map((row) => (
          <DataRow key={keyOf(row)} row={row} columns={columns} opens={opens} />
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

interface HeadProps<Row, Key extends string> {
  readonly column: Column<Row, Key>;
  readonly sorting: Sorting<Key> | undefined;
  readonly onSort: ((sorting: Sorting<Key>) => void) | undefined;
}

function Head<Row, Key extends string>({ column, sorting, onSort }: HeadProps<Row, Key>) {
  const { title, width, align, sortKey } = column;
  if (sortKey !== undefined && sorting !== undefined && onSort !== undefined) {
    return (
      <SortHeader column={sortKey} sorting={sorting} onSort={onSort}>
        {title}
      </SortHeader>
    );
  }
  return (
    <Table.Th role="columnheader" scope="col" {...(width !== undefined && { w: width })} ta={align}>
      {title}
    </Table.Th>
  );
}

interface DataRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly opens: boolean;
}

function DataRow<Row>({ row, columns, opens }: DataRowProps<Row>) {
  const onClick = useRowClick();
  return (
    <Table.Tr role="row" className={classes.row} {...(opens && { onClick, 'data-opens': true })}>
      {columns.map(({ key, title, align, noWrap, cell }) => (
        <Table.Td
          key={key}
          role="cell"
          className={`${classes.cell} wrap-anywhere`}
          data-label={title}
          data-align={align}
          {...(noWrap && { style: { whiteSpace: 'nowrap' } })}
        >
          <div className={classes.value}>{cell(row)}</div>
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
