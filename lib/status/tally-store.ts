import { randomBytes } from 'node:crypto';
import { keyOf } from '../db/key.ts';
import type { InsertRow, ReadSession, TableShape, WriteSession } from '../db/types.ts';
import { actorTable, platformTable, timeTable } from './tables.ts';
import { increase, parseTally, printTally, Tally } from './tally.ts';
import { slotsAround } from './time-slots.ts';

/** How many changes are folded at once. */
const foldedAtOnce = 500;

/** Notes what a transaction changes, to be folded later. */
export async function insertChange(session: WriteSession, tally: Tally): Promise<void> {
  await session.execute('INSERT INTO tally_change (id, changes) VALUES (:id, :changes)', {
    id: randomBytes(16),
    changes: printTally(tally),
  });
}

/** Whether there are changes that are not in the tallies yet. */
export async function hasChanges(session: ReadSession): Promise<boolean> {
  return (await session.select('SELECT id FROM tally_change LIMIT 1')).length > 0;
}

/** Adds changes that are noted to the tallies. @returns whether there may be more. */
export async function foldChanges(session: WriteSession): Promise<boolean> {
  const rows = await session.select<{ id: Buffer; changes: string }>(
    'SELECT id, changes FROM tally_change LIMIT :count',
    { count: foldedAtOnce },
  );
  if (rows.length === 0) return false;
  await session.execute('DELETE FROM tally_change WHERE id IN (:ids)', { ids: rows.map(({ id }) => id) });
  const sum = new Tally();
  for (const { changes } of rows) sum.addAll(parseTally(changes));
  await addToTallies(session, sum);
  return rows.length === foldedAtOnce;
}

export async function addToTallies(session: WriteSession, tally: Tally): Promise<void> {
  const slots = new Map<number, number>();
  let statements = 0;
  for (const [second, amount] of tally.seconds) {
    statements += amount;
    for (const slot of slotsAround(second)) increase(slots, slot, amount);
  }
  await adjust(
    session,
    timeTable,
    Array.from(slots, ([id, amount]) => ({ id, amount })),
  );
  await adjust(
    session,
    platformTable,
    Array.from(tally.platforms, ([label, amount]) => ({ id: keyOf(label), label, amount })),
  );
  const actors = await adjust(
    session,
    actorTable,
    Array.from(tally.actors, ([id, amount]) => ({ id, amount })),
  );
  await increaseTotal(session, 'statements', statements);
  await increaseTotal(session, 'actors', actors);
}

async function increaseTotal(session: WriteSession, name: string, amount: number): Promise<void> {
  await session.execute('UPDATE statement_total SET amount = amount + :amount WHERE name = :name', {
    name,
    amount,
  });
}

interface Adjustment {
  /** A number, or a key as hexadecimal text. */
  readonly id: number | string;
  /** What stands between the first and the last column. */
  readonly label?: string;
  readonly amount: number;
}

/**
 * Adds to the last column of the rows with these ids, their first column; rows come when there is something to count and go
 * when there is nothing left.
 * @returns by how many rows there are more than before.
 */
async function adjust(
  session: WriteSession,
  table: TableShape,
  adjustments: readonly Adjustment[],
): Promise<number> {
  if (adjustments.length === 0) return 0;
  const [column = ''] = Object.keys(table.columns);
  const stored = await session.select<{ id: number | Buffer; statements: number }>(
    `SELECT ${column} AS id, statements FROM ${table.name} WHERE ${column} IN (:ids)`,
    { ids: inSql(adjustments.map(({ id }) => id)) },
  );
  const counts = new Map(stored.map(({ id, statements }) => [printed(id), statements]));
  const kept: InsertRow[] = [];
  const gone: (number | string)[] = [];
  for (const { id, label, amount } of adjustments) {
    const count = (counts.get(printed(id)) ?? 0) + amount;
    if (count > 0) kept.push(label === undefined ? [id, count] : [id, label, count]);
    else if (counts.has(printed(id))) gone.push(id);
  }
  await session.upsert(table, kept, ['statements']);
  if (gone.length > 0) {
    await session.execute(`DELETE FROM ${table.name} WHERE ${column} IN (:gone)`, { gone: inSql(gone) });
  }
  return kept.length - stored.length;
}

/** The ids as values of SQL: numbers, or bytes. */
function inSql(ids: readonly (number | string)[]): number[] | Buffer[] {
  const numbers = ids.filter((id) => typeof id === 'number');
  return numbers.length === ids.length ? numbers : ids.map((id) => Buffer.from(String(id), 'hex'));
}

function printed(id: number | string | Buffer): string {
  return Buffer.isBuffer(id) ? id.toString('hex') : String(id);
}
