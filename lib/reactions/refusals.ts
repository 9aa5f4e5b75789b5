import { InvalidError, NotFoundError, PreconditionFailedError } from '../errors.ts';
import type { ReactionCounts, StoredReaction } from './store/reaction-rows.ts';
import type { ReactionCountLimits } from './types.ts';

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
function counted(count: number, kind = ''): string {
  return count === 1 ? `is 1 ${kind}reaction` : `are ${count} ${kind}reactions`;
}

export function requireUnchanged({ modified, deleted }: StoredReaction, expected: number | undefined): void {
  if (expected === undefined || expected === modified) return;
  const what = deleted ? 'deleted' : 'changed';
  throw new PreconditionFailedError(
    `The reaction was ${what} meanwhile, after the time of expectedModified. Read it again, then decide.`,
  );
}

export function requireFreeTitle({ taken }: ReactionCounts): void {
  if (!taken) return;
  throw new InvalidError('Another reaction has this title; choose another one.', {
    details: [{ path: 'title', message: 'is in use', rule: 'unique' }],
  });
}

/** That there may be one more, and one more that is active. */
export function requireRoom(
  { reactionMaxStored, reactionMaxActive }: ReactionCountLimits,
  { count, active }: ReactionCounts,
  { isNew, starts }: { readonly isNew: boolean; readonly starts: boolean },
): void {
  if (isNew && count >= reactionMaxStored)
    throw beyondLimit(
      '',
      `There ${counted(count)}, and lrs.reactionMaxStored permits no more: delete one first.`,
    );
  if (starts && active >= reactionMaxActive)
    throw beyondLimit(
      'active',
      `There ${counted(active, 'active ')}, and lrs.reactionMaxActive permits no more: pause one first.`,
    );
}

/** That a ruleset that is new, or longer than before, may be as long. */
export function requireBytes(
  { reactionAllRulesetsMaxBytes: most }: ReactionCountLimits,
  { bytes: others }: ReactionCounts,
  { ruleset }: Pick<StoredReaction, 'ruleset'>,
): void {
  const bytes = others + Buffer.byteLength(ruleset);
  if (bytes <= most) return;
  throw beyondLimit(
    '$',
    `All rulesets would have ${bytes} bytes together, and lrs.reactionAllRulesetsMaxBytes permits ${most}: shorten this one, or delete a reaction.`,
  );
}
