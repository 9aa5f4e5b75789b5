import { Badge } from '@mantine/core';
import type { ShownReaction } from '../../../../lib/reactions/service-types.ts';
import { useTexts } from '../../texts/texts.tsx';

/** Whether it works. */
export function StateBadge({ reaction: { active, error } }: { readonly reaction: ShownReaction }) {
  const { reactions } = useTexts();
  const state = active ? 'active' : error === null ? 'paused' : 'stopped';
  return (
    <Badge variant="light" tt="none" color={{ active: 'green', paused: 'gray', stopped: 'red' }[state]}>
      {reactions.states[state]}
    </Badge>
  );
}
