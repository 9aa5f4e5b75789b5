import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeStore, type Store, storesQuery } from '../../api/stores.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useDone } from '../../components/done.ts';
import { useTexts } from '../../texts/texts.tsx';

interface ChangeStateProps {
  readonly store: Store;
  readonly state: 'read-only' | 'closed';
  readonly onClose: () => void;
}

/** Says what clients of the store get before it is closed or made read-only. */
export function ChangeState({ store: { name }, state, onClose }: ChangeStateProps) {
  const { stores: texts } = useTexts();
  const queries = useQueryClient();
  const done = useDone();
  const change = useMutation({
    mutationFn: () => changeStore(name, { state }),
    onSuccess: async () => {
      await queries.invalidateQueries(storesQuery);
      done(texts.done[state](name));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={texts.asked[state]}
      action={texts.actions[state]}
      isPending={change.isPending}
      error={change.error}
      onConfirm={change.mutate}
      onClose={onClose}
    >
      <Text size="sm" className="wrap-anywhere">
        {texts.effects[state](name)}
      </Text>
    </ConfirmDialog>
  );
}
