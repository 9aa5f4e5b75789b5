import type { ShownReaction } from '../../../../lib/reactions/service-types.ts';

/** Whether a reaction that an error has stopped would fail again if it were only resumed: its ruleset, or a setting, has to change. */
export function needsRepair({ error }: Pick<ShownReaction, 'error'>): boolean {
  return error !== null && error.reason !== 'server';
}

/** Whether a higher limit helps as well as another ruleset. */
export function isBeyondLimit({ error }: Pick<ShownReaction, 'error'>): boolean {
  return error?.type === 'ReactionLimitError';
}
