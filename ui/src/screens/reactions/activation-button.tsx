import { Button, type ButtonProps, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconTool } from '@tabler/icons-react';
import { useRef } from 'react';
import type { ShownReaction } from '../../../../lib/reactions/service-types.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useFocusKept } from '../../components/use-focus-kept.ts';
import { useTexts } from '../../texts/texts.tsx';
import { isBeyondLimit, needsRepair } from './needs-repair.ts';
import { type OnResumed, useActivation } from './use-activation.ts';

interface ActivationButtonProps extends Pick<ButtonProps, 'size'> {
  readonly reaction: ShownReaction;
  readonly onResumed: OnResumed;
}

/** Pauses, resumes, or lets a reaction go on that an error has stopped. */
export function ActivationButton({ reaction, onResumed, size = 'compact-sm' }: ActivationButtonProps) {
  const { reactions } = useTexts();
  const { mutate, isPending, error } = useActivation(reaction, onResumed);
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(isPending, { button });
  const work = reaction.active ? 'pause' : reaction.error === null ? 'resume' : 'repair';
  const Icon = { pause: IconPlayerPause, resume: IconPlayerPlay, repair: IconTool }[work];
  return (
    <>
      <Button
        ref={button}
        size={size}
        variant={work === 'repair' && !needsRepair(reaction) ? 'filled' : 'default'}
        leftSection={<Icon size={14} aria-hidden />}
        loading={isPending}
        aria-label={reactions.workNamed(reactions.work[work], reaction.title)}
        onClick={() => mutate()}
        // In a card on a phone there may be less room than the text needs.
        h="auto"
        mih="var(--button-height)"
        py={2}
        styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 } }}
      >
        {reactions.work[work]}
      </Button>
      {needsRepair(reaction) && (
        <Text size="xs">{isBeyondLimit(reaction) ? reactions.limitRemains : reactions.repairsNothing}</Text>
      )}
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}
