import type { ColumnKind, InsertRow, KeyedNumbers, TableShape } from '../types.ts';
import type { BoundSql } from './sqlite-parameters.ts';

/**
 * A failed insert takes its whole transaction back, so SQLite need not be able to take back the rows of this statement
 * alone, for which it would copy each page that it touches.
 */
export const insertOrFail = 'INSERT OR FAIL';

/**
 * One INSERT for any number of rows, with at most two values bound: `:rows` is a JSON array of arrays, `:payload` holds
 * the long texts and contents one after another, each named in its row by offset and length. This spares SQLite the
 * parsing of thousands of literals and this process the binding of thousands of values.
 */
export function bulkInsert(table: TableShape, rows: readonly InsertRow[], skipTaken: boolean): BoundSql {
  const insert = skipTaken ? 'INSERT OR IGNORE' : insertOrFail;
  return { sql: `${insert} ${intoSql(table)}`, values: valuesOf(table, rows) };
}

/** The same, but where the first column's value is taken, these columns are replaced. */
export function bulkUpsert(
  table: TableShape,
  rows: readonly InsertRow[],
  replaced: readonly string[],
): BoundSql {
  const [key] = Object.keys(table.columns);
  const changes = replaced.map((column) => `${column} = excluded.${column}`).join(', ');
  // Without WHERE, SQLite would take ON for a part of FROM.
  const sql = `INSERT ${intoSql(table)} WHERE true ON CONFLICT (${key}) DO UPDATE SET ${changes}`;
  return { sql, values: valuesOf(table, rows) };
}

function valuesOf(table: TableShape, rows: readonly InsertRow[]): BoundSql['values'] {
  const kinds = Object.values(table.columns);
  if (!kinds.some(travelsApart)) return { ':rows': JSON.stringify(rows) };
  const payload = new Payload();
  const encoded = rows.map((row) =>
    row.flatMap((value, index) => (travelsApart(kinds[index]) ? payload.add(value) : value)),
  );
  return { ':rows': JSON.stringify(encoded), ':payload': payload.bytes() };
}

/**
 * One INSERT of (key, number) rows: the keys' bytes lie end to end, the numbers are a JSON array of what each has beyond the
 * first, because short ones are read and written faster.
 */
export function insertByKey(table: TableShape, { keys, numbers }: KeyedNumbers): BoundSql {
  const [first = 0] = numbers;
  return {
    sql: `${insertOrFail} INTO ${table.name} (${Object.keys(table.columns).join(', ')})
      SELECT substr(:keys, key * 16 + 1, 16), :first + value FROM json_each(:numbers)`,
    values: {
      ':keys': Buffer.from(keys.join(''), 'hex'),
      ':first': first,
      ':numbers': `[${numbers.map((number) => number - first).join(',')}]`,
    },
  };
}

function travelsApart(kind: ColumnKind | undefined): boolean {
  return kind === 'document' || kind === 'content';
}

/** Long values laid end to end. One byte leads, because the driver binds no bytes at all as NULL. */
class Payload {
  readonly #parts: (string | Buffer)[] = ['\0'];
  #length = 1;

  /** @returns the value's offset, counted from 1 as SQL does, and its length in bytes. */
  add(value: InsertRow[number]): [offset: number, length: number] {
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
function intoSql(table: TableShape): string {
  let field = 0;
  const expressions = Object.values(table.columns).map((kind) => {
    const value = `value->>${field}`;
    field += travelsApart(kind) ? 2 : 1;
    switch (kind) {
      case 'hex':
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
