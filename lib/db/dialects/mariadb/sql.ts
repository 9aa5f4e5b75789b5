import type { ColumnKind, InsertRow, Replacements, SqlValue, TableShape } from '../../types.ts';
import type { RowSql } from '../collected-batch.ts';
import { replaceParameters } from '../named-parameters.ts';

export interface MariadbQuery {
  readonly sql: string;
  readonly values: unknown[];
}

/** One statement that is run for many rows in one message. */
export interface MariadbBulk {
  readonly sql: string;
  readonly rows: unknown[][];
}

/**
 * `:name` becomes `?`. A list becomes several, padded with its last item to a power of two, so that few different texts
 * have to be kept prepared.
 */
export function bindParameters(sql: string, replacements: Replacements): MariadbQuery {
  const values: unknown[] = [];
  const text = replaceParameters(sql, {
    value: (name) => {
      values.push(replacements[name] ?? null);
      return '?';
    },
    list: (name) => {
      const items = filled(replacements[name] ?? null);
      values.push(...items);
      return `IN (${items.map(() => '?').join(', ')})`;
    },
  });
  return { sql: text, values };
}

/** An empty list becomes null, which equals nothing. */
function filled(list: SqlValue): unknown[] {
  const items: unknown[] = Array.isArray(list) ? [...list] : [list];
  const last = items.at(-1) ?? null;
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, items.length)));
  while (items.length < length) items.push(last);
  return items;
}

/** The placeholder of a column's value in VALUES; `at` is the index of the column. */
export type Placeholder = (kind: ColumnKind, at: number) => string;

/** INSERT … VALUES for one row, run for each of them. */
export function rowSql(placeholder: Placeholder): RowSql<MariadbBulk> {
  const insertSql = (table: TableShape): string => {
    const values = Object.values(table.columns).map((kind, at) => placeholder(kind, at));
    return `INSERT INTO ${table.name} (${Object.keys(table.columns).join(', ')}) VALUES (${values.join(', ')})`;
  };
  return {
    insert(table, rows, skipTaken) {
      const [key] = Object.keys(table.columns);
      // INSERT IGNORE would ignore more errors than duplicate keys.
      const skipping = skipTaken ? ` ON DUPLICATE KEY UPDATE ${key} = ${table.name}.${key}` : '';
      return { sql: insertSql(table) + skipping, rows: rows.map((row) => encodedRow(table, row)) };
    },
    upsert(table, rows, replaced) {
      const changes = replaced.map((column) => `${column} = VALUES(${column})`).join(', ');
      const sql = `${insertSql(table)} ON DUPLICATE KEY UPDATE ${changes}`;
      return { sql, rows: rows.map((row) => encodedRow(table, row)) };
    },
    insertByKey(table, { keys, numbers, masks }) {
      const bytes = Buffer.from(keys.join(''), 'hex');
      const rows = numbers.map((number, at) => [
        bytes.subarray(at * 16, at * 16 + 16),
        number,
        wholeNumber(masks[at]),
      ]);
      return { sql: insertSql(table), rows };
    },
  };
}

/** For a transaction that knows its positions. */
export const plainRows = rowSql(() => '?');

/** The values of a row in the types of the driver. */
export function encodedRow(table: TableShape, row: InsertRow): unknown[] {
  const kinds = Object.values(table.columns);
  return row.map((value, at) => encoded(value, kinds[at]));
}

function encoded(value: InsertRow[number], kind: ColumnKind | undefined): unknown {
  switch (kind) {
    case 'hex':
    case 'key':
      return typeof value === 'string' ? Buffer.from(value, 'hex') : value;
    case 'integer':
      return wholeNumber(value);
    default:
      return value;
  }
}

/** The driver sends small and large numbers as different types, and starts a new message whenever the type changes. */
function wholeNumber(value: InsertRow[number] | undefined): unknown {
  return typeof value === 'number' ? BigInt(value) : value;
}
