import { Button, Group, Title } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactionDetails } from '../../../../../lib/reactions/service-types.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { ActivationButton } from '../activation-button.tsx';
import { DeleteReaction } from '../delete-reaction.tsx';
import { needsRepair } from '../needs-repair.ts';
import type { OnResumed } from '../use-activation.ts';
import type { Places } from '../use-places.ts';

interface ReactionToolsProps {
  readonly reaction: ReactionDetails;
  readonly places: Places;
  readonly onResumed: OnResumed;
  /** Told of the id of the reaction when it is deleted. */
  readonly onDeleted: (id: string) => void;
}

/** What can be done with a reaction. */
export function ReactionTools({ reaction, places, onResumed, onDeleted }: ReactionToolsProps) {
  const { common, reactions } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const isFaulty = needsRepair(reaction);
  const edit = (
    <Button
      size="xs"
      variant={isFaulty ? 'filled' : 'default'}
      leftSection={<IconPencil size={14} aria-hidden />}
      onClick={() => places.edit(reaction.id)}
    >
      {isFaulty ? reactions.editRuleset : reactions.edit}
    </Button>
  );
  return (
    <>
      <Title order={3} size="h4" className="wrap-anywhere">
        {reaction.title}
      </Title>
      <Group gap="xs">
        {isFaulty && edit}
        <ActivationButton
          reaction={reaction}
          size="xs"
          // Beside the replay, these details say what was missed; the notice on the page would say it twice.
          onResumed={() => onResumed(undefined)}
        />
        {!isFaulty && edit}
        <Button
          size="xs"
          color="red"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {common.delete}
        </Button>
      </Group>
      {isAsking && (
        <DeleteReaction
          reaction={reaction}
          onDeleted={() => {
            places.open(undefined);
            onDeleted(reaction.id);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
