import type { ColumnKind, InsertRow, KeyedNumbers, Replacements, SqlValue, TableShape } from '../types.ts';
import { replaceParameters } from './named-parameters.ts';
import { binaryArray, type ElementType, keyArray, withoutNul } from './postgres-array.ts';

/** A value as it travels: text, or bytes in Postgres' binary form. */
type Parameter = string | Buffer | null;

export interface PostgresQuery {
  readonly text: string;
  readonly values: Parameter[];
}

interface Template {
  readonly text: string;
  /** The name that each `$n` stands for. */
  readonly names: readonly string[];
}

/** The SQL of this program is a few hundred texts. */
const templatesKept = 1000;
const templates = new Map<string, Template>();

/** `:name` becomes `$1`, and `IN (:list)` an array, so that the text does not depend on the length of the list. */
export function bindParameters(sql: string, replacements: Replacements): PostgresQuery {
  const { text, names } = templateOf(sql);
  return { text, values: names.map((name) => bound(replacements[name] ?? null)) };
}

function templateOf(sql: string): Template {
  const known = templates.get(sql);
  if (known) return known;
  const names: string[] = [];
  const place = (name: string): string => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  };
  const text = replaceParameters(sql, { value: place, list: (name) => `= ANY (${place(name)})` });
  if (templates.size >= templatesKept) templates.clear();
  templates.set(sql, { text, names });
  return { text, names };
}

function bound(value: SqlValue): Parameter {
  if (value === null || Buffer.isBuffer(value)) return value;
  if (typeof value === 'object') return arrayText(value);
  return withoutNul(String(value));
}

/** An array in Postgres' text form, whose elements are of a type that the SQL tells. */
function arrayText(items: readonly (string | number | Buffer)[]): string {
  const elements = items.map((item) => {
    if (typeof item === 'number') return String(item);
    const text = Buffer.isBuffer(item) ? `\\x${item.toString('hex')}` : withoutNul(item);
    return `"${text.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}

const elementTypes: Readonly<Record<ColumnKind, ElementType>> = {
  integer: 'int8',
  text: 'text',
  uuid: 'uuid',
  hex: 'bytea',
  key: 'uuid',
  document: 'text',
  content: 'bytea',
};

/** One INSERT for any number of rows: each column travels as one array. */
export function bulkInsert(table: TableShape, rows: readonly InsertRow[], skipTaken: boolean): PostgresQuery {
  const values = Object.values(table.columns).map((kind, index) =>
    binaryArray(
      elementTypes[kind],
      rows.map((row) => row[index] ?? null),
    ),
  );
  return { text: insertSql(table) + (skipTaken ? ' ON CONFLICT DO NOTHING' : ''), values };
}

/** The same, but where the first column's value is taken, these columns are replaced. */
export function bulkUpsert(
  table: TableShape,
  rows: readonly InsertRow[],
  replaced: readonly string[],
): PostgresQuery {
  const [key] = Object.keys(table.columns);
  const changes = replaced.map((column) => `${column} = excluded.${column}`).join(', ');
  const { text, values } = bulkInsert(table, rows, false);
  return { text: `${text} ON CONFLICT (${key}) DO UPDATE SET ${changes}`, values };
}

/** One INSERT of (key, number, mask) rows. */
export function insertByKey(table: TableShape, { keys, numbers, masks }: KeyedNumbers): PostgresQuery {
  const values = [keyArray(keys), binaryArray('int8', numbers), binaryArray('int8', masks)];
  return { text: insertSql(table), values };
}

/** Unfolded side by side in the list of what is selected: as a table, the rows would be gathered before the first is inserted. */
function insertSql(table: TableShape): string {
  const values = Object.values(table.columns).map(
    (kind, index) => `unnest($${index + 1}::${elementTypes[kind]}[])`,
  );
  const columns = Object.keys(table.columns).join(', ');
  return `INSERT INTO ${table.name} (${columns}) SELECT ${values.join(', ')}`;
}
