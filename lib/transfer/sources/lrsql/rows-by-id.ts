import type { LrsqlReader, LrsqlValue } from './reader.ts';

/** Rows whose lengths are asked for at once. */
const atOnce = 500;
/** Bytes of the rows that are in memory at once; a row with more is read alone. */
const bytesAtOnce = 8 * 1024 * 1024;

/** All ids come after it; they are UUIDs that begin with the time, so their order is that of `stored`. */
export const lowestId = '00000000-0000-0000-0000-000000000000';

interface Row {
  readonly id: LrsqlValue;
}

interface RowLength extends Row {
  readonly bytes: number;
}

interface Options {
  readonly table: string;
  readonly columns: string;
  /** SQL for the bytes of a row. */
  readonly length: string;
  /** Rows with more bytes are not read. */
  readonly longest: number;
  readonly after?: LrsqlValue;
}

/** Consecutive rows of a table. */
export interface RowsPart<Kind extends Row> {
  readonly rows: readonly Kind[];
  /** The row behind them, which is not read. */
  readonly tooLong?: RowLength | undefined;
}

/** All rows of a table in the order of their ids, few enough at once for a limited memory. */
export async function* rowsById<Kind extends Row>(
  reader: LrsqlReader,
  { table, columns, length, longest, after = lowestId }: Options,
): AsyncGenerator<RowsPart<Kind>> {
  for (let behind = after; ; ) {
    const lengths = await reader.select<Row & { readonly bytes: number | string | null }>(
      `SELECT id, ${length} AS bytes FROM ${table} WHERE id > ? ORDER BY id LIMIT ${atOnce}`,
      [behind],
    );
    const last = lengths.at(-1);
    if (last === undefined) return;
    for (const { ids, tooLong } of partsOf(lengths, longest)) {
      yield { rows: await rowsOf<Kind>(reader, { table, columns, ids }), tooLong };
    }
    behind = last.id;
  }
}

function* partsOf(
  lengths: readonly (Row & { readonly bytes: number | string | null })[],
  longest: number,
): Generator<{ readonly ids: readonly LrsqlValue[]; readonly tooLong?: RowLength }> {
  let ids: LrsqlValue[] = [];
  let held = 0;
  for (const { id, bytes: given } of lengths) {
    const bytes = Number(given ?? 0);
    if (bytes > longest) {
      yield { ids, tooLong: { id, bytes } };
      [ids, held] = [[], 0];
      continue;
    }
    if (ids.length > 0 && held + bytes > bytesAtOnce) {
      yield { ids };
      [ids, held] = [[], 0];
    }
    ids.push(id);
    held += bytes;
  }
  if (ids.length > 0) yield { ids };
}

/** @param ids all between the first and the last one. */
async function rowsOf<Kind extends Row>(
  reader: LrsqlReader,
  { table, columns, ids }: Pick<Options, 'table' | 'columns'> & { readonly ids: readonly LrsqlValue[] },
): Promise<Kind[]> {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return [];
  return reader.select<Kind>(
    `SELECT ${columns} FROM ${table} WHERE id >= ? AND id <= ? ORDER BY id LIMIT ${ids.length}`,
    [first, last],
  );
}
