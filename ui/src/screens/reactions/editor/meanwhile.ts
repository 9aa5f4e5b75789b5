import type { ShownReaction } from '../../../../../lib/reactions/service-types.ts';
import { stateOf } from '../reaction-state.ts';

/** A part of a reaction that somebody else has changed. */
export type ChangedPart = 'title' | 'ruleset' | 'state';

/** What others have done to a reaction since editing it began. */
export interface Meanwhile {
  /** The reaction as it is now; undefined when it was deleted. */
  readonly current: ShownReaction | undefined;
  readonly changed: readonly ChangedPart[];
}

/**
 * Undefined when what is edited is still what it was.
 * @param begun the reaction when editing began; undefined for a new one
 * @param current the reaction as it is now; undefined when there is none any more
 */
export function meanwhileOf(
  begun: ShownReaction | undefined,
  current: ShownReaction | undefined,
): Meanwhile | undefined {
  if (begun === undefined) return undefined;
  if (current === undefined) return { current, changed: [] };
  if (current.modified === begun.modified) return undefined;
  const differs: Readonly<Record<ChangedPart, boolean>> = {
    title: current.title !== begun.title,
    ruleset: JSON.stringify(current.ruleset) !== JSON.stringify(begun.ruleset),
    state: stateOf(current) !== stateOf(begun),
  };
  const changed = (['title', 'ruleset', 'state'] as const).filter((part) => differs[part]);
  return changed.length === 0 ? undefined : { current, changed };
}

/** Whether the change is that an error has stopped the reaction, which nobody has done. */
export function isStoppedOnly({ current, changed }: Meanwhile): boolean {
  return current !== undefined && current.error !== null && changed.every((part) => part === 'state');
}
