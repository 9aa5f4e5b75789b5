import { recordEarlierDefinitions } from '../activities/definitions.ts';
import { recordEarlierNames } from '../agents/names.ts';
import { addAgents } from '../agents/store.ts';
import type { Database, WriteSession } from '../db/types.ts';
import { giveWayBriefly, mapInTurns } from '../in-turns.ts';
import type { Logger } from '../logger.ts';
import { recordEarlier } from '../status/recorder.ts';
import { mentionsOf, type PlacedMentions } from '../xapi/mentions.ts';
import { agentsOf } from './commit/mentions.ts';
import { positionsBackward } from './stored-slice.ts';
import { parseStored } from './stored-statement.ts';
import type { StoredStatement } from './types.ts';

/** Of one transaction. */
const limits = { statements: 200, bytes: 1_048_576 };

/** Something to be made of every statement that an older release has stored. */
interface Task {
  /** Its row in the table `backfill`. */
  readonly name: 'sightings' | 'tallies' | 'agents';
  /** For the log: what is collected. */
  readonly subject: string;
  /** @param placed oldest first. */
  readonly record: (session: WriteSession, placed: readonly PlacedMentions[]) => Promise<void>;
}

/** Collects what statements tell about Agents and Activities; what newer statements have told meanwhile stays the newer. */
export function backfillMentions(db: Database, logger: Logger, deadline?: number): Promise<boolean> {
  const task: Task = {
    name: 'sightings',
    subject: 'Agents and Activities',
    async record(session, placed) {
      await recordEarlierNames(session, placed);
      await recordEarlierDefinitions(session, placed);
    },
  };
  return lookBackward(db, logger, task, deadline);
}

/** Collects which Agents there are. */
export function backfillAgents(db: Database, logger: Logger, deadline?: number): Promise<boolean> {
  const task: Task = {
    name: 'agents',
    subject: 'Agents',
    record: (session, placed) => addAgents(session, new Set(agentsOf(placed))),
  };
  return lookBackward(db, logger, task, deadline);
}

/** Counts statements for the status. */
export function backfillTallies(db: Database, logger: Logger, deadline?: number): Promise<boolean> {
  const task: Task = { name: 'tallies', subject: 'Counts', record: recordEarlier };
  return lookBackward(db, logger, task, deadline);
}

/**
 * Does a task for the statements of a release that did not do it while it stored them. Goes backwards in small transactions
 * that each note how far it has come: it may be interrupted, and several processes may do it at once.
 * @param deadline milliseconds since the epoch; no transaction begins after it.
 * @returns whether nothing is left.
 */
async function lookBackward(
  db: Database,
  logger: Logger,
  task: Task,
  deadline = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  let count = 0;
  for (let done = await isDone(db, task); !done; ) {
    if (Date.now() >= deadline) return false;
    if (count === 0) logger.info(`collecting ${task.subject} from the statements of an older release`);
    const looked = await db.write((session) => lookBack(session, task));
    count += looked;
    done = looked === 0;
  }
  if (count > 0) logger.info({ statements: count }, `${task.subject} collected`);
  return true;
}

async function isDone(db: Database, { name }: Task): Promise<boolean> {
  return (await db.read((session) => session.select(nextSql, { name }))).length === 0;
}

const nextSql = 'SELECT position FROM backfill WHERE task = :name';

/** Statements at or before a position, newest first. */
async function selectSome(session: WriteSession, position: number): Promise<StoredStatement[]> {
  const positions = await positionsBackward(session, position, limits);
  if (positions.length === 0) return [];
  const rows = await session.select<StoredStatement>(
    'SELECT position, payload AS text FROM statement WHERE position IN (:positions)',
    { positions },
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
      return { position, mentions: mentionsOf(source, source.authority) };
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
