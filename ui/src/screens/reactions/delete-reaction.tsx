import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ShownReaction } from '../../../../lib/reactions/service-types.ts';
import { deleteReaction, reactionsQuery } from '../../api/reactions.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useDone } from '../../components/done.ts';
import { useTexts } from '../../texts/texts.tsx';

interface DeleteReactionProps {
  readonly reaction: Pick<ShownReaction, 'id' | 'title'>;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Names the reaction, and what stays of it. */
export function DeleteReaction({ reaction: { id, title }, onDeleted, onClose }: DeleteReactionProps) {
  const { common, reactions } = useTexts();
  const queries = useQueryClient();
  const done = useDone();
  const remove = useMutation({
    mutationFn: () => deleteReaction(id),
    onSuccess: async () => {
      onClose();
      onDeleted();
      await queries.invalidateQueries({ queryKey: reactionsQuery.queryKey, exact: true });
      done(reactions.deleted(title));
    },
  });
  return (
    <ConfirmDialog
      title={reactions.deleteTitle}
      action={common.delete}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Text size="sm" className="wrap-anywhere">
        {reactions.deleteText(title)}
      </Text>
    </ConfirmDialog>
  );
}
