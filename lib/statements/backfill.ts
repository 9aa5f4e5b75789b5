import { recordEarlierDefinitions } from '../activities/definitions.ts';
import { recordEarlierNames } from '../agents/names.ts';
import { addAgents } from '../agents/store.ts';
import type { Database, WriteSession } from '../db/types.ts';
import { giveWayBriefly, mapInTurns } from '../in-turns.ts';
import type { Logger } from '../logger.ts';
import { recordEarlier } from '../status/recorder.ts';
import { type PlacedSightings, sightingsOf } from '../xapi/sightings.ts';
import { agentsOf } from './sightings.ts';
import { parseStored } from './stored-statement.ts';
import type { StoredStatement } from './types.ts';

/** How many statements are looked at in one transaction, and how many bytes they may have, unless one alone has more. */
const step = 200;
const stepBytes = 1_048_576;

/** Something to be made of every statement that an older release has stored. */
interface Task {
  /** Its row in the table `backfill`. */
  readonly name: 'sightings' | 'tallies' | 'agents';
  /** For the log: what is collected. */
  readonly subject: string;
  /** @param placed oldest first. */
  readonly record: (session: WriteSession, placed: readonly PlacedSightings[]) => Promise<void>;
}

/** Collects what statements tell about Agents and Activities; what newer statements have told meanwhile stays the newer. */
export function backfillSightings(db: Database, logger: Logger): Promise<void> {
  return lookBackward(db, logger, {
    name: 'sightings',
    subject: 'Agents and Activities',
    async record(session, placed) {
      await recordEarlierNames(session, placed);
      await recordEarlierDefinitions(session, placed);
    },
  });
}

/** Collects which Agents there are. */
export function backfillAgents(db: Database, logger: Logger): Promise<void> {
  return lookBackward(db, logger, {
    name: 'agents',
    subject: 'Agents',
    record: (session, placed) => addAgents(session, new Set(agentsOf(placed))),
  });
}

/** Counts statements for the status. */
export function backfillTallies(db: Database, logger: Logger): Promise<void> {
  return lookBackward(db, logger, { name: 'tallies', subject: 'Counts', record: recordEarlier });
}

/**
 * Does a task for the statements of a release that did not do it while it stored them. Goes backwards in small transactions
 * that each note how far it has come: it may be interrupted, and several processes may do it at once.
 */
async function lookBackward(db: Database, logger: Logger, task: Task): Promise<void> {
  let count = 0;
  for (let done = await isDone(db, task); !done; ) {
    if (count === 0) logger.info(`collecting ${task.subject} from the statements of an older release`);
    const looked = await db.write((session) => lookBack(session, task));
    count += looked;
    done = looked === 0;
  }
  if (count > 0) logger.info({ statements: count }, `${task.subject} collected`);
}

async function isDone(db: Database, { name }: Task): Promise<boolean> {
  return (await db.read((session) => session.select(nextSql, { name }))).length === 0;
}

const nextSql = 'SELECT position FROM backfill WHERE task = :name';

/** Statements at or before a position, newest first. */
async function selectSome(session: WriteSession, position: number): Promise<StoredStatement[]> {
  const sizes = await session.select<{ position: number; bytes: number }>(
    `SELECT position, OCTET_LENGTH(payload) AS bytes FROM statement
     WHERE position <= :position ORDER BY position DESC LIMIT :step`,
    { position, step },
  );
  let left = stepBytes;
  const some = sizes.filter(({ bytes }, index) => {
    left -= bytes;
    return index === 0 || left >= 0;
  });
  if (some.length === 0) return [];
  const rows = await session.select<StoredStatement>(
    'SELECT position, payload AS text FROM statement WHERE position IN (:positions)',
    { positions: some.map((row) => row.position) },
  );
  return rows.sort((a, b) => b.position - a.position);
}

/** @returns how many statements were looked at; none means that there are no more. */
async function lookBack(session: WriteSession, { name, record }: Task): Promise<number> {
  const [next] = await session.select<{ position: number }>(nextSql, { name });
  if (next === undefined) return 0;
  const rows = await selectSome(session, next.position);
  const placed = await mapInTurns(
    rows.toReversed(),
    ({ position, text }) => {
      const { source } = parseStored(text);
      return { position, sightings: sightingsOf(source, source.authority) };
    },
    giveWayBriefly,
  );
  const [oldest] = placed;
  if (oldest === undefined) {
    await session.execute('DELETE FROM backfill WHERE task = :name', { name });
    return 0;
  }
  await record(session, placed);
  await session.execute('UPDATE backfill SET position = :position WHERE task = :name', {
    name,
    position: oldest.position - 1,
  });
  return rows.length;
}
