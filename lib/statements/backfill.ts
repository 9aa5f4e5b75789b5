import { recordEarlierDefinitions } from '../activities/definitions.ts';
import { recordEarlierNames } from '../agents/names.ts';
import type { Database, WriteSession } from '../db/types.ts';
import type { Logger } from '../logger.ts';
import { sightingsOf } from '../xapi/sightings.ts';
import { parseStored } from './stored-statement.ts';
import type { StoredStatement } from './types.ts';

/** How many statements are looked at in one transaction. */
const step = 200;

/**
 * Collects what statements tell about Agents and Activities from those that a release stored which did not do so. Goes
 * backwards in small transactions that each note how far it has come: it may be interrupted, several processes may do it
 * at once, and what newer statements have told meanwhile stays the newer.
 */
export async function backfillSightings(db: Database, logger: Logger): Promise<void> {
  let count = 0;
  for (let done = await isDone(db); !done; ) {
    if (count === 0) logger.info('collecting Agents and Activities from the statements of an older release');
    const looked = await db.write(lookBack);
    count += looked;
    done = looked === 0;
  }
  if (count > 0) logger.info({ statements: count }, 'Agents and Activities collected');
}

async function isDone(db: Database): Promise<boolean> {
  return (await db.read((session) => session.select(nextSql))).length === 0;
}

const nextSql = "SELECT position FROM backfill WHERE task = 'sightings'";

/** @returns how many statements were looked at; none means that there are no more. */
async function lookBack(session: WriteSession): Promise<number> {
  const [next] = await session.select<{ position: number }>(nextSql);
  if (next === undefined) return 0;
  const rows = await session.select<StoredStatement>(
    'SELECT position, payload AS text FROM statement WHERE position <= :position ORDER BY position DESC LIMIT :step',
    { position: next.position, step },
  );
  const placed = rows
    .map(({ position, text }) => {
      const { source } = parseStored(text);
      return { position, sightings: sightingsOf(source, source.authority) };
    })
    .reverse();
  const [oldest] = placed;
  if (oldest === undefined) {
    await session.execute("DELETE FROM backfill WHERE task = 'sightings'");
    return 0;
  }
  await recordEarlierNames(session, placed);
  await recordEarlierDefinitions(session, placed);
  await session.execute("UPDATE backfill SET position = :position WHERE task = 'sightings'", {
    position: oldest.position - 1,
  });
  return rows.length;
}
