import type { ColumnKind, InsertRow, TableShape } from '../types.ts';
import type { BoundSql } from './sqlite-parameters.ts';

/**
 * One INSERT for any number of rows, with at most two values bound: `:rows` is a JSON array of arrays, `:payload` holds
 * the long texts and contents one after another, each named in its row by offset and length. This spares SQLite the
 * parsing of thousands of literals and this process the binding of thousands of values.
 */
export function bulkInsert(table: TableShape, rows: readonly InsertRow[], skipTaken: boolean): BoundSql {
  const kinds = Object.values(table.columns);
  const sql = insertSql(table, kinds, skipTaken);
  if (!kinds.some(travelsApart)) return { sql, values: { ':rows': JSON.stringify(rows) } };
  const payload = new Payload();
  const encoded = rows.map((row) =>
    row.flatMap((value, index) => (travelsApart(kinds[index]) ? payload.add(value) : value)),
  );
  return { sql, values: { ':rows': JSON.stringify(encoded), ':payload': payload.bytes() } };
}

/** One INSERT of (key, number) rows, in the order of the keys so that each page of the index is visited once. */
export function insertByKey(table: TableShape, numbers: ReadonlyMap<string, readonly number[]>): BoundSql {
  const sorted = [...numbers].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    sql: `INSERT INTO ${table.name} (${Object.keys(table.columns).join(', ')})
      SELECT unhex(k.key), n.value FROM json_each(:rows) k, json_each(k.value) n`,
    values: { ':rows': JSON.stringify(Object.fromEntries(sorted)) },
  };
}

function travelsApart(kind: ColumnKind | undefined): boolean {
  return kind === 'document' || kind === 'content';
}

/** Long values laid end to end. One byte leads, because the driver binds no bytes at all as NULL. */
class Payload {
  readonly #parts: Buffer[] = [Buffer.alloc(1)];
  #length = 1;

  /** @returns the value's offset, counted from 1 as SQL does, and its length in bytes. */
  add(value: InsertRow[number]): [offset: number, length: number] {
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
    const offset = this.#length + 1;
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return [offset, bytes.length];
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts, this.#length);
  }
}

function insertSql(table: TableShape, kinds: readonly ColumnKind[], skipTaken: boolean): string {
  let field = 0;
  const expressions = kinds.map((kind) => {
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
  const insert = skipTaken ? 'INSERT OR IGNORE' : 'INSERT';
  return `${insert} INTO ${table.name} (${columns}) SELECT ${expressions.join(', ')} FROM json_each(:rows)`;
}
