import { PacedWrites } from '../db/paced-writes.ts';
import type { Database, WriteSession } from '../db/types.ts';
import { giveWayBriefly, mapInTurns } from '../in-turns.ts';
import type { Logger } from '../logger.ts';
import { parseStoredValues } from '../xapi/statement/stored-statement.ts';
import { pendingFrom, writePending } from './commit/pending-references.ts';
import { entriesOf, type ReferenceNode } from './commit/reference-graph.ts';
import { ReferencePropagation } from './commit/reference-propagation.ts';
import { insertReferences, type ReferenceRow, referringNode } from './commit/references.ts';
import { anyFingerprint, type Fingerprint } from './search/fingerprint.ts';
import { SearchIndex } from './search/search-index.ts';
import { KeyPositions, keysOf, type SearchKey } from './search/search-key.ts';
import { positionsBackward, type SliceLimits } from './stored-slice.ts';
import type { Position } from './types.ts';

/** The most that one transaction processes. */
const most: SliceLimits = { statements: 500, bytes: 4_194_304 };
/** Milliseconds between two lines in the log. */
const reportEvery = 10_000;

/** The row of the table `task_progress` that stores where to continue. */
const nextSql = "SELECT position FROM task_progress WHERE task = 'reindex'";

export interface ReindexOptions {
  readonly logger: Logger;
  /** Ends the run after the current slice; the next call continues. */
  readonly signal?: Pick<AbortSignal, 'aborted'>;
  /** For tests. */
  readonly limits?: SliceLimits;
}

/**
 * Recomputes the search keys and the fingerprint of every stored statement and replaces its index entries. A release that
 * finds statements by new values needs this for statements stored earlier. It proceeds from the newest to the oldest in
 * short transactions, records its progress and leaves the write lock free in between, so servers may read and write
 * meanwhile, and several processes share the work. Referring statements inherit the new keys afterwards.
 * @returns whether it is complete; otherwise the next call continues.
 */
export async function reindex(
  db: Database,
  { logger, signal, limits = most }: ReindexOptions,
): Promise<boolean> {
  const index = new SearchIndex();
  const writes = new PacedWrites(db);
  await db.write(begin);
  let count = 0;
  let reported = Date.now();
  for (;;) {
    if (signal?.aborted) return false;
    const done = await writes.write((session, share) => reindexSlice(session, index, scaled(limits, share)), {
      readsFirst: true,
    });
    if (done === undefined) break;
    count += done;
    if (Date.now() - reported < reportEvery) continue;
    reported = Date.now();
    logger.info({ statements: count }, 'reindexing');
  }
  const isComplete = await new ReferencePropagation(db, index).runUntil(Number.POSITIVE_INFINITY);
  const upkeep = db.dialect.upkeepOf('statement_key');
  if (upkeep !== undefined) await db.read((session) => session.select(upkeep), { maintenance: true });
  logger.info({ statements: count }, 'reindexed');
  return isComplete;
}

function scaled({ statements, bytes }: SliceLimits, share: number): SliceLimits {
  return { statements: Math.ceil(statements * share), bytes: Math.ceil(bytes * share) };
}

/** Begins with the newest statement, unless an interrupted run is to be continued. */
async function begin(session: WriteSession): Promise<void> {
  if ((await session.select(nextSql)).length > 0) return;
  await session.execute(
    "INSERT INTO task_progress (task, position) SELECT 'reindex', COALESCE(MAX(position), 0) FROM statement",
  );
}

/** @returns the number of processed statements; undefined when there are no more. */
async function reindexSlice(
  session: WriteSession,
  index: SearchIndex,
  limits: SliceLimits,
): Promise<number | undefined> {
  const [next] = await session.select<{ position: number }>(nextSql);
  if (next === undefined) return undefined;
  const positions = await positionsBackward(session, next.position, limits);
  const oldest = positions.at(-1);
  if (oldest === undefined) {
    await session.execute("DELETE FROM task_progress WHERE task = 'reindex'");
    return undefined;
  }
  await replaceEntries(
    session,
    index,
    await mapInTurns(await select(session, positions), indexed, giveWayBriefly),
  );
  await session.execute("UPDATE task_progress SET position = :position WHERE task = 'reindex'", {
    position: oldest - 1,
  });
  return positions.length;
}

interface Row extends Omit<ReferenceRow, 'target' | 'voids' | 'search_keys'> {
  readonly payload: string;
  readonly target: string | null;
  readonly voids: number | null;
  readonly search_keys: Buffer | null;
}

function select(session: WriteSession, positions: readonly Position[]): Promise<Row[]> {
  return session.select<Row>(
    `SELECT s.id, s.position, s.voided, s.payload, r.target, r.voids, r.search_keys, r.foreign_keys, r.authority_key
     FROM statement s LEFT JOIN statement_reference r ON r.position = s.position
     WHERE s.position IN (:positions)`,
    { positions },
  );
}

/** A stored statement and its new index entries. */
interface Indexed {
  readonly id: string;
  readonly position: Position;
  readonly voided: boolean;
  readonly entries: readonly SearchKey[];
  /** Index entries that it may have had before. */
  readonly former: readonly SearchKey[];
  readonly fingerprint: Fingerprint;
  /** Its row if it refers to another statement. */
  readonly referrer: ReferenceNode | undefined;
}

function indexed(row: Row): Indexed {
  const { inheritable, ownOnly, fingerprint } = keysOf(parseStoredValues(row.payload));
  const common = { id: row.id, position: row.position, voided: row.voided === 1 };
  const held = heldNode(row);
  if (held === undefined)
    return { ...common, entries: [...inheritable, ...ownOnly], former: [], fingerprint, referrer: undefined };
  const referrer = withOwnKeys(held, inheritable);
  return {
    ...common,
    entries: [...entriesOf(referrer), ...ownOnly],
    former: entriesOf(held),
    // It also has keys of its target, perhaps more of them later.
    fingerprint: anyFingerprint,
    referrer,
  };
}

function heldNode(row: Row): ReferenceNode | undefined {
  const { target, voids, search_keys } = row;
  if (target === null || voids === null || search_keys === null) return undefined;
  return referringNode({ ...row, target, voids, search_keys });
}

/** The same keys with its own first and inherited ones after them. */
function withOwnKeys(node: ReferenceNode, own: readonly SearchKey[]): ReferenceNode {
  const owned = new Set(own);
  const isInherited = (key: SearchKey): boolean => !owned.has(key);
  return {
    ...node,
    keys: [...own, ...node.keys.filter(isInherited)],
    keysOfOthers: node.keysOfOthers.filter(isInherited),
  };
}

async function replaceEntries(
  session: WriteSession,
  index: SearchIndex,
  statements: readonly Indexed[],
): Promise<void> {
  const found = statements.filter(({ voided }) => !voided);
  const entries = new KeyPositions();
  for (const { position, entries: keys, fingerprint } of found)
    entries.addAll(new Set(keys), position, fingerprint);
  await index.remove(
    session,
    found.map(({ position, entries: keys, former }) => ({
      position,
      keys: [...new Set([...keys, ...former])],
    })),
  );
  await index.addToStored(session, entries);
  const referrers = statements.flatMap(({ referrer }) => referrer ?? []);
  if (referrers.length > 0) {
    await session.execute('DELETE FROM statement_reference WHERE position IN (:positions)', {
      positions: referrers.map(({ position }) => position),
    });
    await insertReferences(session, referrers);
  }
  await writePending(
    session,
    (await targetsAmong(session, statements)).map((id) => pendingFrom(id, 0)),
  );
}

/** The statements that others refer to. */
async function targetsAmong(session: WriteSession, statements: readonly Indexed[]): Promise<string[]> {
  const rows = await session.select<{ target: string }>(
    'SELECT DISTINCT target FROM statement_reference WHERE target IN (:ids)',
    { ids: statements.map(({ id }) => id) },
  );
  return rows.map(({ target }) => target);
}
