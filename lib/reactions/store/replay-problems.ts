import type { ReadSession, WriteSession } from '../../db/types.ts';
import type { ReactionError } from '../types.ts';
import { longestFailure, type StoredError } from './reaction-rows.ts';

/** So many different ones are kept of a replay. */
const mostProblems = 5;

/** Why a match made no statement in a replay. */
export interface ReplayProblem {
  readonly error: ReactionError;
  /** The statement that the match was looked for. */
  readonly triggerId: string;
}

/** Problems as they are stored, the latest first. */
export function storedProblems(text: string | null): readonly StoredError[] {
  return text === null ? [] : JSON.parse(text);
}

/** Adds problems to those of the latest replay of a reaction. Of equal ones, the latest is kept. */
export async function addReplayProblems(
  session: WriteSession,
  reactionId: string,
  problems: readonly ReplayProblem[],
): Promise<void> {
  if (problems.length === 0) return;
  const time = Date.now() * 1000;
  const added = problems.map(
    ({ error, triggerId }): StoredError => ({
      ...error,
      message: error.message.slice(0, longestFailure),
      ...{ triggerId, time },
    }),
  );
  const earlier = storedProblems(await selectProblems(session, reactionId));
  const latest = new Map<string, StoredError>();
  for (const problem of [...added.toReversed(), ...earlier]) {
    const key = `${problem.type} ${problem.message}`;
    if (!latest.has(key)) latest.set(key, problem);
  }
  await updateProblems(session, reactionId, [...latest.values()].slice(0, mostProblems));
}

async function selectProblems(session: ReadSession, reactionId: string): Promise<string | null> {
  const [row] = await session.select<{ problems: string | null }>(
    'SELECT problems FROM reaction_replay WHERE reaction_id = :reactionId',
    { reactionId },
  );
  return row?.problems ?? null;
}

/** Replaces them, as erasure does. */
export async function updateProblems(
  session: WriteSession,
  reactionId: string,
  problems: readonly Partial<StoredError>[],
): Promise<void> {
  await session.execute('UPDATE reaction_replay SET problems = :problems WHERE reaction_id = :reactionId', {
    reactionId,
    problems: JSON.stringify(problems),
  });
}
