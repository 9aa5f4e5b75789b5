import type { Dialect } from '../../db/dialects/dialect.ts';
import type { BatchCheck, ReadSession, SqlValue, WriteSession } from '../../db/types.ts';
import type { PositionClock } from '../../position.ts';
import { newestOf, type ReadingRow, readingSql } from '../newest-position.ts';
import type { Position } from '../types.ts';
import { epochColumns, type MentionEpochs } from './mentions.ts';

/** Whether the statements of a transaction conflict with stored ones; usually all are new. */
export interface ConflictCheck extends MentionEpochs {
  /** The newest used position; 0 while there is none. */
  readonly newest: Position;
  /** The clock of the server, or of the machine that a file is on; null when nothing was read. */
  readonly now: number | null;
  /** Whether any of the ids is stored. */
  readonly taken: boolean;
  /** Whether any stored statement refers to one of the ids. */
  readonly awaited: boolean;
  /** Whether search keys of stored statements are still to be propagated. */
  readonly leftPending: boolean;
}

/** The same, as read from the database. */
export interface ConflictCheckRow extends ReadingRow, MentionEpochs {
  readonly taken: number | boolean;
  readonly awaited: number | boolean;
  readonly pending: number | boolean;
}

/** One query instead of three, because the write lock is held for each round trip. */
export async function checkConflicts(session: WriteSession, ids: readonly string[]): Promise<ConflictCheck> {
  const [row] = await session.select<ConflictCheckRow>(conflictCheckSql(session), { ids });
  return conflictCheckOf(row);
}

export function conflictCheckOf(row: ConflictCheckRow | undefined): ConflictCheck {
  const { agents_epoch = null, definitions_epoch = null, now } = row ?? {};
  return {
    newest: newestOf(row),
    now: now ?? null,
    taken: Boolean(row?.taken),
    awaited: Boolean(row?.awaited),
    leftPending: Boolean(row?.pending),
    agents_epoch,
    definitions_epoch,
  };
}

const texts = new WeakMap<Dialect, string>();

/** The same text each time, so that it is hashed once. */
function conflictCheckSql({ dialect }: Pick<ReadSession, 'dialect'>): string {
  const text = texts.get(dialect) ?? conflictCheckText({ dialect });
  texts.set(dialect, text);
  return text;
}

function conflictCheckText(session: Pick<ReadSession, 'dialect'>): string {
  return `${readingSql(session)}, ${epochColumns},
       EXISTS (SELECT 1 FROM statement WHERE id IN (:ids)) AS taken,
       EXISTS (SELECT 1 FROM statement_reference WHERE target IN (:ids)) AS awaited,
       EXISTS (SELECT 1 FROM reference_pending) AS pending`;
}

/** What a batch expects of the database. */
export interface Expectation {
  readonly ids: readonly string[];
  /** The epochs in which the cached Agents are valid; undefined where any is. */
  readonly agentsEpochs: readonly number[] | undefined;
  readonly definitionsEpochs: readonly number[] | undefined;
  /** Keys of Activities that are expected to have no definition. */
  readonly undefinedActivities: readonly Buffer[];
}

/**
 * The same check for a batch: it is written if every expectation holds and no stored statement refers to its statements.
 */
export function batchCheckOf(
  session: Pick<ReadSession, 'dialect'>,
  clock: PositionClock,
  { ids, agentsEpochs, definitionsEpochs, undefinedActivities }: Expectation,
): BatchCheck {
  const conditions = ['NOT taken', 'NOT awaited'];
  const replacements: { -readonly [name in keyof Expectation]?: SqlValue } = { ids };
  const time = clock.override;
  if (agentsEpochs !== undefined) {
    conditions.push('agents_epoch IN (:agentsEpochs)');
    replacements.agentsEpochs = agentsEpochs;
  }
  if (definitionsEpochs !== undefined) {
    conditions.push('definitions_epoch IN (:definitionsEpochs)');
    replacements.definitionsEpochs = definitionsEpochs;
  }
  if (undefinedActivities.length > 0) {
    conditions.push('NOT EXISTS (SELECT 1 FROM activity WHERE activity_key IN (:undefinedActivities))');
    replacements.undefinedActivities = undefinedActivities;
  }
  const now = time === undefined ? 'now' : ':time';
  return {
    sql: conflictCheckSql(session),
    fits: conditions.join(' AND '),
    first: `${session.dialect.greatest}(${now}, COALESCE(newest, 0) + 1, COALESCE(event, 0) + 1, watermark + 1, :floor)`,
    // Positions that are given out until the batch is sent come before its own.
    replacements: () => ({
      ...replacements,
      floor: clock.last + 1,
      ...(time !== undefined && { time: clock.override ?? time }),
    }),
  };
}
