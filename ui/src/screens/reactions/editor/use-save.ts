import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SavedReaction, ShownReaction } from '../../../../../lib/reactions/service-types.ts';
import { createReaction, reactionsQuery, updateReaction } from '../../../api/reactions.ts';

export interface EditedReaction {
  readonly title: string;
  readonly active: boolean;
  /** Whatever the JSON says: the server judges it. */
  readonly ruleset: unknown;
}

/** Creates a reaction, or sends what differs of one that there is already. */
export function useSave(
  reaction: ShownReaction | undefined,
  onSaved: (title: string, saved: SavedReaction) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (edited: EditedReaction) => sent(reaction, edited),
    onSuccess: async (saved, { title }) => {
      await queries.invalidateQueries({ queryKey: reactionsQuery.queryKey });
      onSaved(title.trim(), saved);
    },
  });
}

/** Without a title the server makes one, or keeps the one that there is. */
function sent(reaction: ShownReaction | undefined, edited: EditedReaction): Promise<SavedReaction> {
  const { active } = edited;
  const ruleset = edited.ruleset as ShownReaction['ruleset'];
  const title = edited.title.trim();
  const named = title === '' ? {} : { title };
  if (reaction === undefined) return createReaction({ ...named, ruleset, active });
  const isSame = JSON.stringify(ruleset) === JSON.stringify(reaction.ruleset);
  return updateReaction(reaction.id, {
    title: reaction.title,
    ...named,
    ...(active !== reaction.active && { active }),
    ...(!isSame && { ruleset }),
  });
}
