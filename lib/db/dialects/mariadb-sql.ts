import type { ColumnKind, InsertRow, KeyedNumbers, Replacements, SqlValue, TableShape } from '../types.ts';
import { replaceParameters } from './named-parameters.ts';

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
 * `:name` becomes `?`, and a list as many of them as it has items, filled up to a power of two with its last item so that
 * there are few different texts to keep prepared.
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

/** An empty list holds null, which nothing equals. */
function filled(list: SqlValue): unknown[] {
  const items: unknown[] = Array.isArray(list) ? [...list] : [list];
  const last = items.at(-1) ?? null;
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, items.length)));
  while (items.length < length) items.push(last);
  return items;
}

export function bulkInsert(table: TableShape, rows: readonly InsertRow[], skipTaken: boolean): MariadbBulk {
  const [key] = Object.keys(table.columns);
  const kinds = Object.values(table.columns);
  return {
    // INSERT IGNORE would overlook more than keys that are taken.
    sql: insertSql(table) + (skipTaken ? ` ON DUPLICATE KEY UPDATE ${key} = ${table.name}.${key}` : ''),
    rows: rows.map((row) => row.map((value, index) => encoded(value, kinds[index]))),
  };
}

/** The same, but where the first column's value is taken, these columns are replaced. */
export function bulkUpsert(
  table: TableShape,
  rows: readonly InsertRow[],
  replaced: readonly string[],
): MariadbBulk {
  const changes = replaced.map((column) => `${column} = VALUES(${column})`).join(', ');
  const bulk = bulkInsert(table, rows, false);
  return { ...bulk, sql: `${bulk.sql} ON DUPLICATE KEY UPDATE ${changes}` };
}

/** Rows of (key, number, mask). */
export function insertByKey(table: TableShape, { keys, numbers, masks }: KeyedNumbers): MariadbBulk {
  const bytes = Buffer.from(keys.join(''), 'hex');
  const rows = numbers.map((number, at) => [bytes.subarray(at * 16, at * 16 + 16), number, masks[at]]);
  return { sql: insertSql(table), rows };
}

function insertSql(table: TableShape): string {
  const columns = Object.keys(table.columns);
  return `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

function encoded(value: InsertRow[number], kind: ColumnKind | undefined): InsertRow[number] {
  return (kind === 'hex' || kind === 'key') && typeof value === 'string' ? Buffer.from(value, 'hex') : value;
}
