import type { ColumnKind, InsertRow, KeyedNumbers, StampedRow, TableShape } from '../../types.ts';
import type { BatchSql, RowSql } from '../collected-batch.ts';
import type { BoundSql } from './parameters.ts';

/**
 * A failed insert rolls back its transaction, so SQLite need not be able to undo this statement alone, for which it would
 * copy each touched page. (It still does where the statement calls a function of SQL.)
 */
export const insertOrFail = 'INSERT OR FAIL';

/** What the INSERTs of a transaction and those of a batch differ in. */
interface Surroundings {
  /** The beginning of an INSERT whose failure fails the whole. */
  readonly insert: string;
  /** An expression for a position, from one for what was given. */
  readonly positionOf: (value: string) => string;
  /** The condition under which rows are inserted. */
  readonly condition: string;
}

/**
 * INSERTs for any number of rows, with at most two bound values each: `:rows` is a JSON array of arrays, and `:payload`
 * contains the long texts and contents one after another, which the rows name by offset and length. This saves SQLite
 * parsing thousands of literals and this process binding thousands of values.
 */
function rowSql({ insert, positionOf, condition }: Surroundings): RowSql<readonly BoundSql[]> {
  const into = (table: TableShape, kinds: readonly ColumnKind[]): string =>
    `${intoSql(table, kinds, positionOf)} WHERE ${condition}`;
  return {
    insert(table, rows, skipTaken) {
      const kinds = kindsOf(table, rows);
      const beginning = skipTaken ? 'INSERT OR IGNORE' : insert;
      return [{ sql: `${beginning} ${into(table, kinds)}`, values: valuesOf(kinds, rows) }];
    },
    upsert(table, rows, replaced) {
      const [key] = Object.keys(table.columns);
      const changes = replaced.map((column) => `${column} = excluded.${column}`).join(', ');
      const kinds = kindsOf(table, rows);
      const sql = `INSERT ${into(table, kinds)} ON CONFLICT (${key}) DO UPDATE SET ${changes}`;
      return [{ sql, values: valuesOf(kinds, rows) }];
    },
    insertByKey(table, rows) {
      const number = positionOf(`:first + (value & ${offsets - 1})`);
      const sql = `${insert} INTO ${table.name} (${Object.keys(table.columns).join(', ')})
        SELECT substr(:keys, key * 16 + 1, 16), ${number}, value >> ${offsetBits}
        FROM json_each(:packed) WHERE ${condition}`;
      return keyedValues(rows).map((values) => ({ sql, values }));
    },
  };
}

/** For a transaction that knows its positions. Without WHERE, SQLite would parse the ON of an upsert as a part of FROM. */
export const plainRows = rowSql({
  insert: insertOrFail,
  positionOf: (value) => value,
  condition: 'true',
});

/** The column of a batch that holds the position from which its rows count; null when they are not to be written. */
export const firstPosition = 'first_position';

/** In the trigger of a batch. A failure undoes the one statement that the whole batch is. */
const surroundingsOfBatch: Surroundings = {
  insert: 'INSERT',
  positionOf: (value) => `(NEW.${firstPosition} + ${value})`,
  condition: `NEW.${firstPosition} IS NOT NULL`,
};

/**
 * For a batch.
 * @param momentOf SQL for the text of a position's time.
 */
export function batchRows(momentOf: (position: string) => string): BatchSql<readonly BoundSql[]> {
  return {
    ...rowSql(surroundingsOfBatch),
    insertStamped: (table, rows) => [
      { sql: stampedSql(table, momentOf), values: stampedValues(table, rows) },
    ],
  };
}

/** The pieces of a text that are given as bytes. */
const textPieces = ['start', 'middle', 'end'] as const;

function stampedSql(table: TableShape, momentOf: (position: string) => string): string {
  const { positionOf, condition } = surroundingsOfBatch;
  const own = Object.values(table.columns).slice(0, -2);
  const values = expressionsOf(own, positionOf);
  const [position = ''] = values;
  const time = own.length;
  const [start, middle, end] = textPieces.map((_, at) => payloadAt(time + 1 + 2 * at));
  return `INSERT INTO ${table.name} (${Object.keys(table.columns).join(', ')})
    SELECT ${values.join(', ')}, COALESCE(value->>${time}, moment),
      CAST(${start} || moment || COALESCE(${middle} || moment, '') || ${end} AS TEXT)
    FROM (SELECT value, ${momentOf(position)} AS moment FROM json_each(:rows)) WHERE ${condition}`;
}

function stampedValues(table: TableShape, stamped: readonly StampedRow[]): BoundSql['values'] {
  const own = Object.values(table.columns).slice(0, -2);
  const payload = new Payload();
  const rows = stamped.map((row) => [
    ...encodedRow(own, row.values, payload),
    row.time,
    ...textPieces.flatMap((piece) => payload.add(row[piece])),
  ]);
  return { ':rows': JSON.stringify(rows), ':payload': payload.bytes() };
}

/** Longer texts (in characters) are kept out of the JSON, of which SQLite makes several copies. */
const longText = 16 * 1024;

/** The encoding of the columns of these rows. A lone surrogate has no UTF-8, so a text with one stays in the JSON. */
function kindsOf(table: TableShape, rows: readonly InsertRow[]): ColumnKind[] {
  return Object.values(table.columns).map((kind, index) => {
    const isLong = (row: InsertRow): boolean => textOf(row[index]).length > longText;
    const isWellFormed = (row: InsertRow): boolean => textOf(row[index]).isWellFormed();
    return kind === 'text' && rows.some(isLong) && rows.every(isWellFormed) ? 'document' : kind;
  });
}

function textOf(value: InsertRow[number] | undefined): string {
  return typeof value === 'string' ? value : '';
}

function valuesOf(kinds: readonly ColumnKind[], rows: readonly InsertRow[]): BoundSql['values'] {
  if (!kinds.some(travelsApart)) return { ':rows': JSON.stringify(rows) };
  const payload = new Payload();
  const encoded = rows.map((row) => encodedRow(kinds, row, payload));
  return { ':rows': JSON.stringify(encoded), ':payload': payload.bytes() };
}

function encodedRow(kinds: readonly ColumnKind[], row: InsertRow, payload: Payload): unknown[] {
  return row.flatMap((value, index) => (travelsApart(kinds[index]) ? payload.add(value) : value));
}

/** The bits of an integer beside a mask: the largest distance of a number from the first one of the same insert. */
const offsetBits = 11;
const offsets = 2 ** offsetBits;

/**
 * Rows of (key, number, mask), by ranges of 2,048 numbers: the keys' bytes lie end to end, and beside them is a JSON array of
 * integers that hold the mask and what the number has beyond the lowest, because SQLite takes an integer apart much faster than
 * an array or a text.
 */
function keyedValues(rows: KeyedNumbers): BoundSql['values'][] {
  return rangesOf(rows).map(({ first, keys, packed }) => ({
    ':keys': Buffer.from(keys.join(''), 'hex'),
    ':first': first,
    ':packed': `[${packed.join(',')}]`,
  }));
}

interface Range {
  /** The smallest possible number. */
  readonly first: number;
  readonly keys: string[];
  readonly packed: string[];
}

function rangesOf({ keys, numbers, masks }: KeyedNumbers): Range[] {
  const lowest = numbers.reduce((least, number) => Math.min(least, number), Number.MAX_SAFE_INTEGER);
  const ranges = new Map<number, Range>();
  const packer = new Packer();
  for (const [at, number] of numbers.entries()) {
    const place = Math.floor((number - lowest) / offsets);
    let range = ranges.get(place);
    if (range === undefined) {
      range = { first: lowest + place * offsets, keys: [], packed: [] };
      ranges.set(place, range);
    }
    range.keys.push(keys[at] ?? '');
    range.packed.push(packer.pack(masks[at] ?? -1, number - range.first));
  }
  return [...ranges.values()];
}

/**
 * Prints a mask and an offset as one integer. Rows of one number usually follow each other, so the last result is cached.
 */
class Packer {
  #mask = Number.NaN;
  #offset = 0;
  #text = '';

  pack(mask: number, offset: number): string {
    if (mask !== this.#mask || offset !== this.#offset) {
      this.#mask = mask;
      this.#offset = offset;
      this.#text = String(BigInt(mask) * BigInt(offsets) + BigInt(offset));
    }
    return this.#text;
  }
}

function travelsApart(kind: ColumnKind | undefined): boolean {
  return kind === 'document' || kind === 'content';
}

/** Long values, concatenated. A leading byte, because the driver binds an empty buffer as NULL. */
class Payload {
  readonly #parts: (string | Buffer)[] = ['\0'];
  #length = 1;

  /** @returns the value's offset, counted from 1 as SQL does, and its length in bytes; null for both stands for NULL. */
  add(value: InsertRow[number]): [offset: number | null, length: number | null] {
    if (value === null) return [null, null];
    const part = Buffer.isBuffer(value) ? value : String(value);
    const offset = this.#length + 1;
    const length = Buffer.byteLength(part);
    this.#parts.push(part);
    this.#length += length;
    return [offset, length];
  }

  bytes(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      at += typeof part === 'string' ? bytes.write(part, at) : part.copy(bytes, at);
    }
    return bytes;
  }
}

/** What follows INSERT, up to a condition. */
function intoSql(
  table: TableShape,
  kinds: readonly ColumnKind[],
  positionOf: Surroundings['positionOf'],
): string {
  const columns = Object.keys(table.columns).join(', ');
  return `INTO ${table.name} (${columns}) SELECT ${expressionsOf(kinds, positionOf).join(', ')} FROM json_each(:rows)`;
}

/** The values of columns, from one row. */
function expressionsOf(kinds: readonly ColumnKind[], positionOf: Surroundings['positionOf']): string[] {
  let field = 0;
  return kinds.map((kind) => {
    const at = field;
    field += travelsApart(kind) ? 2 : 1;
    switch (kind) {
      case 'hex':
      case 'key':
        return `unhex(value->>${at})`;
      case 'content':
        return payloadAt(at);
      case 'document':
        return `CAST(${payloadAt(at)} AS TEXT)`;
      case 'position':
        return positionOf(`(value->>${at})`);
      default:
        return `value->>${at}`;
    }
  });
}

/** The bytes whose offset and length are these fields of a row. */
const payloadAt = (field: number): string => `substr(:payload, value->>${field}, value->>${field + 1})`;
