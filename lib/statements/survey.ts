import type { WriteSession } from '../db/types.ts';
import { epochColumns, type SightingEpochs } from './sightings.ts';
import { writeTurnCounter } from './tables.ts';
import type { Position } from './types.ts';

/** Told while the write lock is held. */
export interface Newest {
  /** The newest position of the database; 0 while it is empty. */
  readonly newest: Position;
  /** Of the transaction, where turns are counted. */
  readonly turn: number | undefined;
}

/** What a transaction has to know of the ids that clients chose before it looks closer; usually all of them are new. */
export interface Survey extends Newest, SightingEpochs {
  /** Whether any of the ids is stored. */
  readonly taken: boolean;
  /** Whether any stored statement refers to one of the ids. */
  readonly awaited: boolean;
  /** Whether keys of stored statements have yet to be handed on. */
  readonly leftPending: boolean;
}

/** Newest is what the clock has given out last. */
export const nothing = { newest: 0, taken: false, awaited: false, leftPending: false };

/** One look instead of three: each costs a way to the database and back while others wait for the lock. */
export async function survey(session: WriteSession, ids: readonly string[]): Promise<Survey> {
  const [row] = await session.select<SurveyRow>(
    `SELECT ${newestColumns(session)}, ${epochColumns},
       EXISTS (SELECT 1 FROM statement WHERE id IN (:ids)) AS taken,
       EXISTS (SELECT 1 FROM statement_reference WHERE target IN (:ids)) AS awaited,
       EXISTS (SELECT 1 FROM reference_pending) AS pending`,
    { ids },
  );
  const { agents_epoch = null, definitions_epoch = null } = row ?? {};
  const found = {
    taken: Boolean(row?.taken),
    awaited: Boolean(row?.awaited),
    leftPending: Boolean(row?.pending),
  };
  return { ...newestOf(row), ...found, agents_epoch, definitions_epoch };
}

/** What a transaction has to know that says up to when the store is complete. */
export async function selectNewest(session: WriteSession): Promise<Newest> {
  const [row] = await session.select<NewestRow>(`SELECT ${newestColumns(session)}`);
  return newestOf(row);
}

interface NewestRow {
  readonly newest: number | null;
  readonly turn: number | null;
}

interface SurveyRow extends NewestRow, SightingEpochs {
  readonly taken: number;
  readonly awaited: number;
  readonly pending: number;
}

function newestColumns({ dialect }: WriteSession): string {
  const turn = dialect.counter?.next(writeTurnCounter) ?? 'NULL';
  return `(SELECT MAX(position) FROM statement) AS newest, ${turn} AS turn`;
}

function newestOf(row: NewestRow | undefined): Newest {
  return { newest: row?.newest ?? 0, turn: row?.turn ?? undefined };
}
