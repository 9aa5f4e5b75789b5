import type { ColumnKind, InsertRow, KeyedNumbers, TableShape } from '../../types.ts';
import type { BoundSql } from './parameters.ts';

/**
 * A failed insert rolls back its transaction, so SQLite need not be able to undo this statement alone, for which it would
 * copy each touched page.
 */
export const insertOrFail = 'INSERT OR FAIL';

/**
 * One INSERT for any number of rows, with at most two bound values: `:rows` is a JSON array of arrays, and `:payload`
 * contains the long texts and contents one after another, which the rows name by offset and length. This saves SQLite
 * parsing thousands of literals and this process binding thousands of values.
 */
export function bulkInsert(table: TableShape, rows: readonly InsertRow[], skipTaken: boolean): BoundSql {
  const insert = skipTaken ? 'INSERT OR IGNORE' : insertOrFail;
  const kinds = kindsOf(table, rows);
  return { sql: `${insert} ${intoSql(table, kinds)}`, values: valuesOf(kinds, rows) };
}

/** The same, but for a duplicate value of the first column these columns are replaced. */
export function bulkUpsert(
  table: TableShape,
  rows: readonly InsertRow[],
  replaced: readonly string[],
): BoundSql {
  const [key] = Object.keys(table.columns);
  const changes = replaced.map((column) => `${column} = excluded.${column}`).join(', ');
  // Without WHERE, SQLite would parse ON as a part of FROM.
  const kinds = kindsOf(table, rows);
  const sql = `INSERT ${intoSql(table, kinds)} WHERE true ON CONFLICT (${key}) DO UPDATE SET ${changes}`;
  return { sql, values: valuesOf(kinds, rows) };
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
  const encoded = rows.map((row) =>
    row.flatMap((value, index) => (travelsApart(kinds[index]) ? payload.add(value) : value)),
  );
  return { ':rows': JSON.stringify(encoded), ':payload': payload.bytes() };
}

/** The bits of an integer beside a mask: the largest distance of a number from the first one of the same insert. */
const offsetBits = 11;
const offsets = 2 ** offsetBits;

/**
 * One INSERT of (key, number, mask) rows for each range of 2,048 numbers: the keys' bytes lie end to end, and beside them is
 * a JSON array of integers that hold the mask and what the number has beyond the lowest, because SQLite takes an integer
 * apart much faster than an array or a text.
 */
export function insertByKey(table: TableShape, rows: KeyedNumbers): BoundSql[] {
  const sql = `${insertOrFail} INTO ${table.name} (${Object.keys(table.columns).join(', ')})
    SELECT substr(:keys, key * 16 + 1, 16), :first + (value & ${offsets - 1}), value >> ${offsetBits}
    FROM json_each(:packed)`;
  return rangesOf(rows).map(({ first, keys, packed }) => ({
    sql,
    values: {
      ':keys': Buffer.from(keys.join(''), 'hex'),
      ':first': first,
      ':packed': `[${packed.join(',')}]`,
    },
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

/** What follows INSERT. */
function intoSql(table: TableShape, kinds: readonly ColumnKind[]): string {
  let field = 0;
  const expressions = kinds.map((kind) => {
    const value = `value->>${field}`;
    field += travelsApart(kind) ? 2 : 1;
    switch (kind) {
      case 'hex':
      case 'key':
        return `unhex(${value})`;
      case 'content':
        return `substr(:payload, ${value}, value->>${field - 1})`;
      case 'document':
        return `CAST(substr(:payload, ${value}, value->>${field - 1}) AS TEXT)`;
      default:
        return value;
    }
  });
  const columns = Object.keys(table.columns).join(', ');
  return `INTO ${table.name} (${columns}) SELECT ${expressions.join(', ')} FROM json_each(:rows)`;
}
