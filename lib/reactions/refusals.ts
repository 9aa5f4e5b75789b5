import { InvalidError, NotFoundError, PreconditionFailedError } from '../errors.ts';
import type { ReactionCounts, StoredReaction } from './store/reaction-rows.ts';

/**
 * The error for what a setting does not permit.
 * @param path of the member of the body that would have to be different; empty where that is the request as a whole.
 */
export function beyondLimit(path: string, message: string): InvalidError {
  return new InvalidError(message, { details: [{ path, message, rule: 'limit' }] });
}

export function noSuchReaction(id: string): NotFoundError {
  return new NotFoundError(`There is no reaction with the id ${id}.`);
}

/** E.g. `is 1 active reaction`. */
export function counted(count: number, kind = ''): string {
  return count === 1 ? `is 1 ${kind}reaction` : `are ${count} ${kind}reactions`;
}

export function requireUnchanged({ modified, deleted }: StoredReaction, expected: number | undefined): void {
  if (expected === undefined || expected === modified) return;
  const what = deleted ? 'deleted' : 'changed';
  throw new PreconditionFailedError(
    `The reaction was ${what} meanwhile: its modified is not expectedModified any more. Read it again, then decide.`,
  );
}

export function requireFreeTitle({ taken }: ReactionCounts): void {
  if (!taken) return;
  throw new InvalidError('Another reaction has this title; choose another one.', {
    details: [{ path: 'title', message: 'is in use', rule: 'unique' }],
  });
}
