import { Badge } from '@mantine/core';
import type { ShownReaction } from '../../../../lib/reactions/service-types.ts';
import { useTexts } from '../../texts/texts.tsx';
import { stateOf } from './reaction-state.ts';

/** Whether it works. */
export function StateBadge({ reaction }: { readonly reaction: ShownReaction }) {
  const { reactions } = useTexts();
  const state = stateOf(reaction);
  return (
    <Badge variant="light" tt="none" color={{ active: 'green', paused: 'gray', stopped: 'red' }[state]}>
      {reactions.states[state]}
    </Badge>
  );
}
