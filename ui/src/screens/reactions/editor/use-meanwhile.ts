import { useEffect } from 'react';
import type { ShownReaction } from '../../../../../lib/reactions/service-types.ts';
import { type Meanwhile, meanwhileOf } from './meanwhile.ts';

interface MeanwhileOptions {
  /** As it was when editing began. */
  readonly reaction: ShownReaction | undefined;
  readonly current: ShownReaction | undefined;
  readonly isChanged: boolean;
  /** What is being saved changes the reaction, too. */
  readonly isSaving: boolean;
  readonly onLoad: (current: ShownReaction) => void;
}

/** What others have done to the reaction meanwhile. Where there is nothing to lose yet, the editor follows them. */
export function useMeanwhile(options: MeanwhileOptions): Meanwhile | undefined {
  const { reaction, current, isChanged, isSaving, onLoad } = options;
  const meanwhile = isSaving ? undefined : meanwhileOf(reaction, current);
  const followed = isChanged ? undefined : meanwhile?.current;
  useEffect(() => {
    if (followed !== undefined) onLoad(followed);
  }, [followed, onLoad]);
  return followed === undefined ? meanwhile : undefined;
}
