import type { Look, ReadSession, SqlValue, WriteSession } from '../db/types.ts';
import type { PositionClock } from './position.ts';
import { epochColumns, type SightingEpochs } from './sightings.ts';
import type { Position } from './types.ts';

/** What a transaction has to know of the ids of its statements before it looks closer; usually all of them are new. */
export interface Survey extends SightingEpochs {
  /** The newest position of the database; 0 while it is empty. */
  readonly newest: Position;
  /** By the clock of the server; null where there is none. */
  readonly now: number | null;
  /** Whether any of the ids is stored. */
  readonly taken: boolean;
  /** Whether any stored statement refers to one of the ids. */
  readonly awaited: boolean;
  /** Whether keys of stored statements have yet to be handed on. */
  readonly leftPending: boolean;
}

/** A survey as the database gives it. */
export interface SurveyRow extends ReadingRow, SightingEpochs {
  readonly taken: number | boolean;
  readonly awaited: number | boolean;
  readonly pending: number | boolean;
}

export interface ReadingRow {
  readonly newest: number | null;
  readonly now: number | null;
}

/** One look instead of three: each costs a way to the database and back while others wait for the lock. */
export async function survey(session: WriteSession, ids: readonly string[]): Promise<Survey> {
  const [row] = await session.select<SurveyRow>(surveySql(session), { ids });
  return surveyOf(row);
}

export function surveyOf(row: SurveyRow | undefined): Survey {
  const { agents_epoch = null, definitions_epoch = null, newest, now } = row ?? {};
  return {
    newest: newest ?? 0,
    now: now ?? null,
    taken: Boolean(row?.taken),
    awaited: Boolean(row?.awaited),
    leftPending: Boolean(row?.pending),
    agents_epoch,
    definitions_epoch,
  };
}

/** The newest position of the database, null while it is empty, and the time. */
export function readingSql({ dialect }: Pick<ReadSession, 'dialect'>): string {
  return `SELECT (SELECT MAX(position) FROM statement) AS newest, ${dialect.nowSql ?? 'NULL'} AS now`;
}

function surveySql(session: Pick<ReadSession, 'dialect'>): string {
  return `${readingSql(session)}, ${epochColumns},
       EXISTS (SELECT 1 FROM statement WHERE id IN (:ids)) AS taken,
       EXISTS (SELECT 1 FROM statement_reference WHERE target IN (:ids)) AS awaited,
       EXISTS (SELECT 1 FROM reference_pending) AS pending`;
}

/** What a batch presumes about the database. */
export interface Presumption {
  readonly ids: readonly string[];
  /** Epochs of the Agents in which it counts; undefined where it counts in any. */
  readonly agentsEpochs: readonly number[] | undefined;
  readonly definitionsEpochs: readonly number[] | undefined;
  /** Keys of Activities that have no definition. */
  readonly undefinedActivities: readonly Buffer[];
}

/** The same look for a batch, which is written if everything is as it presumes, and nobody refers to its statements. */
export function batchLook(
  session: Pick<ReadSession, 'dialect'>,
  clock: PositionClock,
  { ids, agentsEpochs, definitionsEpochs, undefinedActivities }: Presumption,
): Look {
  const conditions = ['NOT taken', 'NOT awaited'];
  const replacements: { [name in keyof Presumption | 'floor' | 'time']?: SqlValue } = {
    ids,
    floor: clock.last,
  };
  const time = clock.override;
  if (time !== undefined) replacements.time = time;
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
  const now = time === undefined ? 'now' : 'CAST(:time AS BIGINT)';
  return {
    sql: surveySql(session),
    fits: conditions.join(' AND '),
    first: `GREATEST(${now}, COALESCE(newest, 0) + 1, CAST(:floor AS BIGINT) + 1)`,
    replacements,
  };
}
