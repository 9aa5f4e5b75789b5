import { randomBytes } from 'node:crypto';
import { keyOf } from '../db/key.ts';
import type { Database, ReadSession, RowSession, WriteSession } from '../db/types.ts';
import { giveWayBriefly, mapInTurns } from '../in-turns.ts';
import type { TextMap } from '../text-map.ts';
import { type Adjustment, adjust } from './counted-rows.ts';
import { activityTable, actorTable, changeTable, platformTable, timeTable, verbTable } from './tables.ts';
import { increase, Tally } from './tally.ts';
import { slotsAround } from './time-slots.ts';
import { updateTop } from './top-store.ts';

/** How many changes are folded at once, and how many bytes of them: the ids in them may have megabytes. */
const foldedAtOnce = 2000;
const foldedBytes = 2_097_152;

/**
 * Notes what a transaction changes, as `printTally` makes it, to be folded later.
 * @param position that of the first statement.
 */
export function insertChange(session: RowSession, changes: string, position: number): Promise<void> {
  return session.insert(changeTable, [[randomBytes(16).toString('hex'), changes, position]]);
}

/**
 * Brings the tallies up to date: most of the time there is nothing to add, and so nothing to write.
 * @param deadline milliseconds since the epoch; no transaction begins after it.
 * @returns whether nothing is left.
 */
export async function foldAllChanges(db: Database, deadline = Number.POSITIVE_INFINITY): Promise<boolean> {
  if (!(await db.read(hasChanges))) return true;
  while (Date.now() < deadline) if (!(await db.write(foldChanges))) return true;
  return false;
}

async function hasChanges(session: ReadSession): Promise<boolean> {
  return (await session.select('SELECT id FROM tally_change LIMIT 1')).length > 0;
}

/** Adds some of the changes that are noted to the tallies. @returns whether there may be more. */
export async function foldChanges(session: WriteSession): Promise<boolean> {
  const noted = await session.select<{ id: Buffer; bytes: number }>(
    'SELECT id, OCTET_LENGTH(changes) AS bytes FROM tally_change LIMIT :count',
    { count: foldedAtOnce },
  );
  if (noted.length === 0) return false;
  let left = foldedBytes;
  const some = noted.filter(({ bytes }, index) => {
    left -= bytes;
    return index === 0 || left >= 0;
  });
  const ids = some.map(({ id }) => id);
  const rows = await session.select<{ changes: string; position: number }>(
    'SELECT changes, position FROM tally_change WHERE id IN (:ids)',
    { ids },
  );
  await deleteChanges(session, ids);
  const sum = new Tally();
  for (const { changes, position } of rows) await sum.addPrinted(changes, position);
  await addToTallies(session, sum);
  return noted.length === foldedAtOnce || some.length < noted.length;
}

/**
 * Makes sure that they are gone: MariaDB may end a DELETE that is interrupted as if there had been nothing to delete. The same
 * can happen to a SELECT with a LIMIT, but not to one that counts.
 */
async function deleteChanges(session: WriteSession, ids: readonly Buffer[]): Promise<void> {
  let left: number;
  do {
    await session.execute('DELETE FROM tally_change WHERE id IN (:ids)', { ids });
    const [row] = await session.select<{ amount: number }>(
      'SELECT COUNT(*) AS amount FROM tally_change WHERE id IN (:ids)',
      { ids },
    );
    left = Number(row?.amount);
  } while (left !== 0);
}

export async function addToTallies(session: WriteSession, tally: Tally): Promise<void> {
  const slots = new Map<number, number>();
  let statements = 0;
  for (const [second, amount] of tally.seconds) {
    statements += amount;
    for (const slot of slotsAround(second)) increase(slots, slot, amount);
  }
  await adjust(session, timeTable, plain(slots));
  await adjust(session, platformTable, await keyed(tally.platforms));
  const actors = await adjust(session, actorTable, plain(tally.actors));
  const verbs = await adjust(session, verbTable, await keyed(tally.verbs));
  await updateTop(session, verbTable, verbs.counts);
  const activities = await adjust(session, activityTable, await keyed(tally.activities));
  await updateTop(session, activityTable, activities.counts);
  await increaseTotal(session, 'statements', statements);
  await increaseTotal(session, 'actors', actors.more);
  await increaseTotal(session, 'activities', activities.more);
}

/** Counts statements that are voided from now on, or with a negative number, voided ones that are removed. */
export async function addToVoided(session: WriteSession, amount: number): Promise<void> {
  if (amount !== 0) await increaseTotal(session, 'voided', amount);
}

async function increaseTotal(session: WriteSession, name: string, amount: number): Promise<void> {
  await session.execute('UPDATE statement_total SET amount = amount + :amount WHERE name = :name', {
    name,
    amount,
  });
}

function plain<Id extends number | string>(amounts: ReadonlyMap<Id, number>): Adjustment[] {
  return Array.from(amounts, ([id, amount]) => ({ id, labels: [], amount }));
}

/** Of texts for which keys stand. */
function keyed(amounts: TextMap<number>): Promise<Adjustment[]> {
  return mapInTurns(
    amounts,
    ([text, amount]) => ({ id: keyOf(text), labels: [text], amount }),
    giveWayBriefly,
  );
}
