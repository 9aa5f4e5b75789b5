import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ShownReaction } from '../../../../lib/reactions/service-types.ts';
import { reactionsQuery, updateReaction } from '../../api/reactions.ts';
import { useDone } from '../../components/done.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { MissedStatements } from './missed-notice.tsx';

/** Told what a resumed reaction has missed; undefined when that is nothing. */
export type OnResumed = (missed: MissedStatements | undefined) => void;

/** Pauses an active reaction; resumes another one, which clears its error. */
export function useActivation({ id, title, active }: ShownReaction, onResumed: OnResumed) {
  const { reactions } = useTexts();
  const queries = useQueryClient();
  const done = useDone();
  return useMutation({
    mutationFn: () => updateReaction(id, { active: !active }),
    onSuccess: async ({ missed }) => {
      await queries.invalidateQueries({ queryKey: reactionsQuery.queryKey });
      onResumed(missed && { id, title, range: missed });
      // What was missed is told on the page; one message is enough.
      if (missed === undefined)
        done(active ? reactions.pausedNow(title) : reactions.resumedTitle(title), `reaction-${id}`);
    },
  });
}
