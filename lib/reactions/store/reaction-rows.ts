import { startEpoch } from '../../db/cache-epoch.ts';
import { keyOf } from '../../db/key.ts';
import type { ReadSession, WriteSession } from '../../db/types.ts';
import type { Position } from '../../statements/types.ts';
import type { Stretch } from '../missed.ts';
import { uncovered } from '../missed.ts';
import { unusedTitle } from '../title.ts';
import type { ReactionError } from '../types.ts';
import { removeSlow } from './slow-reactions.ts';
import { reactionTable } from './tables.ts';

/** Why a reaction was stopped, and by what. */
export interface StoredError extends ReactionError {
  /** Of the statement; null when it was erased. */
  readonly triggerId: string | null;
  /** Microseconds since the epoch. */
  readonly time: number;
}

/** A reaction as it is stored. Times and positions are microseconds since the epoch. */
export interface StoredReaction {
  /** In lower case. */
  readonly id: string;
  readonly title: string;
  /** JSON, as it was given. */
  readonly ruleset: string;
  readonly active: boolean;
  readonly deleted: boolean;
  /** When it was deleted; null when it is not. */
  readonly deletedAt: number | null;
  readonly created: number;
  readonly modified: number;
  /** Why it was stopped; null when it was not, or is active again. */
  readonly error: StoredError | null;
  /** Counts the rulesets that it has had, from 1. */
  readonly version: number;
  /** Statements after this position trigger it. */
  readonly since: Position;
  /** Up to where it had looked at statements when it was last stopped; null when it never was. */
  readonly stopped: Position | null;
  /** What it has not looked at while it was stopped, and no replay has either; null when that is nothing. */
  readonly missed: Stretch | null;
  /** How many statements it has made. */
  readonly fired: number;
  /** How many matches have made no statement when their trigger was stored; replays count their own. */
  readonly failed: number;
  readonly lastFired: Position | null;
  /** Why the latest of those matches has failed; null where none has. */
  readonly lastFailure: StoredError | null;
}

interface ReactionRow
  extends Omit<
    StoredReaction,
    'active' | 'deleted' | 'deletedAt' | 'error' | 'missed' | 'lastFired' | 'lastFailure'
  > {
  readonly active: number;
  readonly deleted: number;
  readonly error: string | null;
  readonly missed_from: Position | null;
  readonly missed_through: Position | null;
  readonly last_fired: Position | null;
  readonly last_failure: string | null;
  readonly deleted_at: number | null;
}

const columns =
  'id, title, ruleset, active, deleted, deleted_at, created, modified, error, version, since, stopped, missed_from, missed_through, fired, failed, last_fired, last_failure';

function stored({
  last_fired,
  last_failure: failure,
  deleted_at: deletedAt,
  missed_from: from,
  missed_through: through,
  ...row
}: ReactionRow): StoredReaction {
  return {
    ...row,
    active: row.active === 1,
    deleted: row.deleted === 1,
    deletedAt,
    error: row.error === null ? null : { triggerId: null, time: row.modified, ...JSON.parse(row.error) },
    missed: from === null || through === null ? null : { from, through },
    lastFired: last_fired,
    lastFailure: failure === null ? null : JSON.parse(failure),
  };
}

/** All that are not deleted, oldest first. */
export async function selectReactions(session: ReadSession): Promise<StoredReaction[]> {
  const rows = await session.select<ReactionRow>(
    `SELECT ${columns} FROM reaction WHERE deleted = 0 ORDER BY created, id`,
  );
  return rows.map(stored);
}

/** All that are deleted and kept, the latest first. */
export async function selectDeletedReactions(session: ReadSession): Promise<StoredReaction[]> {
  const rows = await session.select<ReactionRow>(
    `SELECT ${columns} FROM reaction WHERE deleted = 1 ORDER BY deleted_at DESC, id DESC`,
  );
  return rows.map(stored);
}

/** How many bytes the rulesets of those that are deleted, or are not, have together. */
export async function selectRulesetBytes(session: ReadSession, deleted: boolean): Promise<number> {
  const [row] = await session.select<{ bytes: number | null }>(
    'SELECT SUM(OCTET_LENGTH(ruleset)) AS bytes FROM reaction WHERE deleted = :deleted',
    { deleted: deleted ? 1 : 0 },
  );
  return Number(row?.bytes ?? 0);
}

/** The title, with a number where another reaction has it. With the write lock, it stays free until the end of the transaction. */
export async function selectUnusedTitle(session: WriteSession, title: string): Promise<string> {
  const rows = await session.select<{ title: string }>('SELECT title FROM reaction WHERE deleted = 0');
  return unusedTitle(title, new Set(rows.map((row) => row.title)));
}

/** Deleted ones too. */
export async function selectReaction(session: ReadSession, id: string): Promise<StoredReaction | undefined> {
  const [row] = await session.select<ReactionRow>(`SELECT ${columns} FROM reaction WHERE id = :id`, { id });
  return row && stored(row);
}

/** The titles of reactions, deleted ones too. */
export async function selectTitles(
  session: ReadSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<StoredReaction, 'id' | 'title' | 'deleted'>>> {
  if (ids.length === 0) return new Map();
  const rows = await session.select<Pick<ReactionRow, 'id' | 'title' | 'deleted'>>(
    'SELECT id, title, deleted FROM reaction WHERE id IN (:ids)',
    { ids },
  );
  return new Map(rows.map((row) => [row.id, { ...row, deleted: row.deleted === 1 }]));
}

/** The deleted ones, the latest first, with the bytes of their rulesets. */
export async function selectDeleted(
  session: ReadSession,
): Promise<{ readonly id: string; readonly bytes: number }[]> {
  const rows = await session.select<{ id: string; bytes: number }>(
    `SELECT id, OCTET_LENGTH(ruleset) AS bytes FROM reaction WHERE deleted = 1
     ORDER BY modified DESC, id DESC`,
  );
  return rows.map(({ id, bytes }) => ({ id, bytes: Number(bytes) }));
}

/** Removes reactions for ever, with their replays; their firings stay. */
export async function purgeReactions(session: WriteSession, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await session.execute('DELETE FROM reaction_replay WHERE reaction_id IN (:ids)', { ids });
  await session.execute('DELETE FROM reaction WHERE id IN (:ids)', { ids });
}

/** What a new or changed reaction depends on. */
export interface ReactionCounts {
  /** How many reactions there are, deleted ones aside, and how many of them are active. */
  readonly count: number;
  readonly active: number;
  /** How many bytes the rulesets of the other ones have together, deleted ones aside. */
  readonly bytes: number;
  /** Whether another reaction has the title. */
  readonly taken: boolean;
  /** The newest position of a statement; 0 when there is none. */
  readonly newest: Position;
}

/** @param title the one to be given, to the reaction `id` if there is one yet. */
export async function countReactions(
  session: ReadSession,
  title: string | undefined,
  id = '',
): Promise<ReactionCounts> {
  const [row] = await session.select<Record<keyof ReactionCounts, number | null>>(
    `SELECT (SELECT COUNT(*) FROM reaction WHERE deleted = 0) AS count,
       (SELECT COUNT(*) FROM reaction WHERE active = 1) AS active,
       (SELECT SUM(OCTET_LENGTH(ruleset)) FROM reaction WHERE deleted = 0 AND id <> :id) AS bytes,
       (SELECT COUNT(*) FROM reaction WHERE title_key = :key AND id <> :id) AS taken,
       (SELECT MAX(position) FROM statement) AS newest`,
    { key: Buffer.from(titleKey(title ?? ''), 'hex'), id: id === '' ? nobody : id },
  );
  return {
    count: row?.count ?? 0,
    active: row?.active ?? 0,
    bytes: Number(row?.bytes ?? 0),
    taken: title !== undefined && (row?.taken ?? 0) > 0,
    newest: row?.newest ?? 0,
  };
}

const nobody = '00000000-0000-0000-0000-000000000000';

function titleKey(title: string): string {
  return keyOf(`reaction ${title}`);
}

export type NewReaction = Pick<StoredReaction, 'id' | 'title' | 'ruleset' | 'active' | 'created' | 'since'>;

export async function insertReaction(session: WriteSession, reaction: NewReaction): Promise<void> {
  const { id, title, ruleset, active, created, since } = reaction;
  if (active) startEpoch(session, 'reactions');
  await session.insert(reactionTable, [
    [id, title, titleKey(title), ruleset, active ? 1 : 0, created, created, 1, since],
  ]);
}

/**
 * Writes what an operator, or an error, may change. One that is not active has no consumer of its own.
 * @param before as it is stored.
 */
export async function updateReaction(
  session: WriteSession,
  reaction: StoredReaction,
  before: Pick<StoredReaction, 'active' | 'version'>,
): Promise<void> {
  const { id, title, ruleset, active, deleted, deletedAt, modified, error, version, since, stopped, missed } =
    reaction;
  if (active !== before.active || (active && version !== before.version)) startEpoch(session, 'reactions');
  await session.execute(
    `UPDATE reaction SET title = :title, title_key = :key, ruleset = :ruleset, active = :active,
       deleted = :deleted, deleted_at = :deletedAt, modified = :modified, error = :error, version = :version, since = :since,
       stopped = :stopped, missed_from = :missedFrom, missed_through = :missedThrough WHERE id = :id`,
    {
      id,
      title,
      key: deleted ? null : Buffer.from(titleKey(title), 'hex'),
      ruleset,
      active: active ? 1 : 0,
      deleted: deleted ? 1 : 0,
      deletedAt,
      modified,
      error: error && JSON.stringify(error),
      version,
      since,
      stopped,
      missedFrom: missed?.from ?? null,
      missedThrough: missed?.through ?? null,
    },
  );
  if (!active) await removeSlow(session, id);
}

/** A replay has looked at a stretch, of which nothing is missed any more. */
export async function coverMissed(session: WriteSession, id: string, covered: Stretch): Promise<void> {
  const { missed = null } = (await selectReaction(session, id)) ?? {};
  const left = missed && uncovered(missed, covered);
  if (left === missed) return;
  await session.execute('UPDATE reaction SET missed_from = :from, missed_through = :through WHERE id = :id', {
    id,
    from: left?.from ?? null,
    through: left?.through ?? null,
  });
}

/** What a turn of the engine adds to the counters of a reaction. */
export interface Tally {
  readonly id: string;
  readonly fired: number;
  readonly failed: number;
  /** The position of the newest statement that it has made now; null when it has made none. */
  readonly lastFired: Position | null;
  /** Why the latest match has failed now; null when none has. */
  readonly lastFailure: StoredError | null;
}

/** Characters of the message of a failure that is kept beside the counters, or of a replay. */
export const longestFailure = 500;

/** Adds to the counters, which nobody caches. */
export async function addToCounters(session: WriteSession, { lastFailure, ...tally }: Tally): Promise<void> {
  await session.execute(
    `UPDATE reaction SET fired = fired + :fired, failed = failed + :failed,
       last_fired = COALESCE(:lastFired, last_fired), last_failure = COALESCE(:lastFailure, last_failure) WHERE id = :id`,
    { ...tally, lastFailure: lastFailure && JSON.stringify(lastFailure) },
  );
}

/** What a turn adds to the counters of the latest replay of a reaction. */
interface ReplayTally {
  readonly id: string;
  readonly failed?: number;
  readonly refused?: number;
}

/** Adds to them: what fails in a replay fails in each, so the reaction counts none of it. */
export async function addToReplay(
  session: WriteSession,
  { id, failed = 0, refused = 0 }: ReplayTally,
): Promise<void> {
  if (failed === 0 && refused === 0) return;
  await session.execute(
    'UPDATE reaction_replay SET failed = failed + :failed, refused = refused + :refused WHERE reaction_id = :id',
    { id, failed, refused },
  );
}
