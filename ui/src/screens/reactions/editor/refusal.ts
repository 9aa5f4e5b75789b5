import { ApiError } from '../../../api/errors.ts';
import { valueAt } from '../../../xapi/json-edit.ts';
import { placeOf } from './notes.ts';

/** A reaction as it is sent. */
export interface EditedReaction {
  readonly title: string;
  readonly active: boolean;
  /** Whatever the JSON says: the server judges it. */
  readonly ruleset: unknown;
}

/**
 * What is left of a refusal: its mistakes at places that still are as they were sent; null when all of them have changed since. One
 * that names no place lasts until anything changes, and what is no refusal lasts until the next attempt.
 */
export function refusalLeft(
  error: Error | null,
  sent: EditedReaction | undefined,
  now: EditedReaction,
): Error | null {
  if (!(error instanceof ApiError) || error.code !== 'invalid' || sent === undefined) return error;
  if (error.details.length === 0) return isSame(sent, now) ? error : null;
  const left = error.details.filter(({ path }) => isSame(partAt(sent, path), partAt(now, path)));
  if (left.length === error.details.length) return error;
  return left.length === 0 ? null : error.with(left);
}

/** Places begin with `$` in the ruleset; others are members of the request. */
function partAt(edited: EditedReaction, path: string): unknown {
  if (path.startsWith('$')) return valueAt(edited.ruleset, placeOf(path));
  return valueAt(edited, [path]) ?? edited;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
