import type { ShownReaction } from '../../../../lib/reactions/service-types.ts';

/** Whether a reaction works, and if not, whether an error or somebody has stopped it. */
export function stateOf({ active, error }: ShownReaction): 'active' | 'paused' | 'stopped' {
  if (active) return 'active';
  return error === null ? 'paused' : 'stopped';
}
