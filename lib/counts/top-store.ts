import type { Key } from '../db/key.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';
import type { activityTable, verbTable } from './tables.ts';
import { Top } from './top.ts';

type RankedTable = typeof activityTable | typeof verbTable;

/** What counts most in a table. */
export async function selectTop(session: ReadSession, { name }: RankedTable): Promise<Top> {
  const [row] = await session.select<{ top: string }>('SELECT top FROM statement_top WHERE name = :name', {
    name,
  });
  return new Top(row?.top);
}

/** @param counts those of the table that have changed. */
export async function updateTop(
  session: WriteSession,
  table: RankedTable,
  counts: ReadonlyMap<Key, number>,
): Promise<void> {
  const top = await selectTop(session, table);
  const before = top.print();
  top.update(counts);
  const after = (top.knows ? top : await newTop(session, table)).print();
  if (after === before) return;
  await session.execute('UPDATE statement_top SET top = :after WHERE name = :name', {
    after,
    name: table.name,
  });
}

/** Reads the whole table, which is needed only after nearly all that counted most have been removed. */
async function newTop(session: ReadSession, table: RankedTable): Promise<Top> {
  const [key = ''] = Object.keys(table.columns);
  const rows = await session.select<{ id: Buffer; statements: number }>(
    `SELECT ${key} AS id, statements FROM ${table.name} ORDER BY statements DESC LIMIT :rows`,
    { rows: Top.enough },
  );
  const top = new Top();
  top.update(rows.map(({ id, statements }) => [id.toString('hex'), statements]));
  return top;
}
