import type {
  BatchCheck,
  ColumnKind,
  InsertRow,
  Replacements,
  SqlValue,
  StampedRow,
  TableShape,
} from '../../types.ts';
import type { BatchSql, RowSql } from '../collected-batch.ts';
import { replaceParameters } from '../named-parameters.ts';
import { TableTexts } from '../table-texts.ts';
import { binaryArray, type ElementType, keyArray, withoutNul } from './array.ts';

/** A value as it travels: text, or bytes in Postgres' binary form. */
type Parameter = string | Buffer | null;

export interface PostgresQuery {
  readonly text: string;
  readonly values: Parameter[];
}

interface Template {
  readonly text: string;
  /** The name for which each `$n` stands. */
  readonly names: readonly string[];
}

/** This program has a few hundred SQL texts. */
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

/** An array in Postgres' text format, whose element type follows from the SQL. */
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
  position: 'int8',
  text: 'text',
  uuid: 'uuid',
  hex: 'bytea',
  key: 'uuid',
  document: 'text',
  content: 'bytea',
};

/** The expression that unnests a column's values from the array `$n`, and the condition under which it does. */
interface Unfolding {
  readonly value: (kind: ColumnKind, array: string) => string;
  readonly condition: string;
}

/** One INSERT for any number of rows: each column is sent as one array. */
function rowSql(unfolding: Unfolding): RowSql<PostgresQuery> {
  const texts = new TableTexts((table, end) => insertSql(table, unfolding) + end);
  const valuesOf = (table: TableShape, rows: readonly InsertRow[]): Buffer[] =>
    Object.values(table.columns).map((kind, index) => columnArray(kind, rows, index));
  return {
    insert: (table, rows, skipTaken) => ({
      text: texts.get(table, skipTaken ? ' ON CONFLICT DO NOTHING' : ''),
      values: valuesOf(table, rows),
    }),
    upsert(table, rows, replaced) {
      const [key] = Object.keys(table.columns);
      const changes = replaced.map((column) => `${column} = excluded.${column}`).join(', ');
      const end = ` ON CONFLICT (${key}) DO UPDATE SET ${changes}`;
      return { text: texts.get(table, end), values: valuesOf(table, rows) };
    },
    insertByKey: (table, { keys, numbers, masks }) => ({
      text: texts.get(table),
      values: [keyArray(keys), binaryArray('int8', numbers), binaryArray('int8', masks)],
    }),
  };
}

function columnArray(kind: ColumnKind, rows: readonly InsertRow[], index: number): Buffer {
  return binaryArray(
    elementTypes[kind],
    rows.map((row) => row[index] ?? null),
  );
}

/**
 * Unnested side by side in the SELECT list: as a FROM item, all rows would be materialised before the first is inserted.
 */
function insertSql(table: TableShape, { value, condition }: Unfolding): string {
  const values = Object.values(table.columns).map((kind, index) => value(kind, unnest(index, kind)));
  const columns = Object.keys(table.columns).join(', ');
  return `INSERT INTO ${table.name} (${columns}) SELECT ${values.join(', ')}${condition}`;
}

/** For a transaction that knows its positions. */
export const plainRows = rowSql({ value: (_, array) => array, condition: '' });

/**
 * A setting of the transaction: the position from which the rows of a batch count; empty when they are not to be written.
 */
const firstSetting = 'serverless_lrs.first_position';
const first = `current_setting('${firstSetting}')`;
const batchUnfolding: Unfolding = {
  value: (kind, array) => (kind === 'position' ? `CAST(${first} AS BIGINT) + ${array}` : array),
  condition: ` WHERE ${first} <> ''`,
};

/**
 * For a batch, after its check.
 * @param momentOf SQL for the text of a position's time.
 */
export function batchSql(momentOf: (position: string) => string): BatchSql<PostgresQuery> {
  const texts = new TableTexts((table) => stampedSql(table, momentOf));
  return {
    ...rowSql(batchUnfolding),
    insertStamped: (table, rows) => ({ text: texts.get(table), values: stampedValues(table, rows) }),
  };
}

/** The columns that `checkSql` adds. */
export interface BatchRow {
  /** Empty when the batch is not written. */
  readonly first_position: string;
}

/** The texts of `checkSql`, by the SELECT and what is computed of its columns; there are few. */
const checks = new Map<string, Map<string, string>>();

/** Runs the check, and tells the following statements whether they write and from which position they count. */
export function checkSql(check: BatchCheck): string {
  const { sql, fits, first: position } = check;
  const known = checks.get(sql) ?? new Map<string, string>();
  if (checks.size >= templatesKept) checks.clear();
  checks.set(sql, known);
  const computed = `${fits} ${position}`;
  const text = known.get(computed) ?? checkText(check);
  known.set(computed, text);
  return text;
}

function checkText({ sql, fits, first: position }: BatchCheck): string {
  const told = `CASE WHEN ${fits} THEN CAST(${position} AS TEXT) ELSE '' END`;
  return `SELECT checked.*, set_config('${firstSetting}', ${told}, true) AS first_position FROM (${sql} OFFSET 0) checked`;
}

/** One INSERT of a batch, for rows whose text contains the time of their position. */
function stampedSql(table: TableShape, momentOf: (position: string) => string): string {
  const columns = Object.entries(table.columns);
  const own = columns.slice(0, -2);
  const unfolded = [
    ...own.map(([name, kind], at) => `${batchUnfolding.value(kind, unnest(at, kind))} AS ${name}`),
    ...stampedPieces.map((piece, at) => `${unnest(own.length + at, 'text')} AS text_${piece}`),
  ];
  const [[position = ''] = []] = own;
  return `INSERT INTO ${table.name} (${columns.map(([name]) => name).join(', ')})
    SELECT ${own.map(([name]) => name).join(', ')}, COALESCE(text_time, moment),
      text_start || moment || COALESCE(text_middle || moment, '') || text_end
    FROM (
      SELECT unfolded.*, ${momentOf(position)} AS moment
      FROM (SELECT ${unfolded.join(', ')}${batchUnfolding.condition}) unfolded
      OFFSET 0
    ) stamped`;
}

function stampedValues(table: TableShape, stamped: readonly StampedRow[]): Buffer[] {
  const rows = stamped.map(({ values }) => values);
  const own = Object.values(table.columns).slice(0, -2);
  const arrays = own.map((kind, at) => columnArray(kind, rows, at));
  const textOf = (piece: (typeof stampedPieces)[number]): Buffer =>
    binaryArray(
      'text',
      stamped.map((row) => row[piece]),
    );
  return [...arrays, ...stampedPieces.map(textOf)];
}

const stampedPieces = ['time', 'start', 'middle', 'end'] as const;

/** The values of the array that is bound at a place. */
function unnest(at: number, kind: ColumnKind): string {
  return `unnest($${at + 1}::${elementTypes[kind]}[])`;
}
