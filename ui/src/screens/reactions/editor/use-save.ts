import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SavedReaction, ShownReaction } from '../../../../../lib/reactions/service-types.ts';
import { ApiError } from '../../../api/errors.ts';
import { createReaction, reactionsQuery, updateReaction } from '../../../api/reactions.ts';
import { type EditedReaction, refusalLeft } from './refusal.ts';

interface Saving {
  readonly edited: EditedReaction;
  /** The reaction that it takes the place of, as it must still be; undefined for a new one. */
  readonly over: ShownReaction | undefined;
}

interface SaveOptions extends Saving {
  readonly onSaved: (title: string, saved: SavedReaction) => void;
}

/** Saving what is edited. */
export interface Save {
  readonly send: () => void;
  readonly isPending: boolean;
  /** From the moment it is sent, unless it fails. */
  readonly isSaving: boolean;
  /** Of the last attempt, as far as what was sent has not been corrected since. */
  readonly error: Error | null;
}

/** Creates a reaction, or sends what differs of one that there is already. */
export function useSave({ edited, over, onSaved }: SaveOptions): Save {
  const queries = useQueryClient();
  const readAgain = () => queries.invalidateQueries({ queryKey: reactionsQuery.queryKey });
  const { mutate, variables, error, isPending, isSuccess } = useMutation({
    mutationFn: sent,
    onSuccess: async (saved, attempt) => {
      await readAgain();
      onSaved(attempt.edited.title.trim(), saved);
    },
    onError: async (failure) => {
      if (isOutdated(failure)) await readAgain();
    },
  });
  return {
    send: () => mutate({ edited, over }),
    isPending,
    isSaving: isPending || isSuccess,
    error: refusalLeft(error, variables?.edited, edited),
  };
}

/** Whether it was refused because somebody else has changed or deleted the reaction. */
export function isOutdated(error: Error | null): boolean {
  return error instanceof ApiError && ['precondition-failed', 'not-found'].includes(error.code);
}

/** Without a title the server makes one for a new reaction. */
function sent({ edited, over }: Saving): Promise<SavedReaction> {
  const { active } = edited;
  const ruleset = edited.ruleset as ShownReaction['ruleset'];
  const title = edited.title.trim();
  if (over === undefined) return createReaction({ ...(title !== '' && { title }), ruleset, active });
  const isSame = JSON.stringify(ruleset) === JSON.stringify(over.ruleset);
  const change = {
    // One that the API has given may be blank.
    title: title === '' ? over.title : title,
    ...(active !== over.active && { active }),
    ...(!isSame && { ruleset }),
  };
  return updateReaction(over.id, change, over.modified);
}
