import { Checkbox, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteStore, type Store, storesQuery } from '../../api/stores.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useDone } from '../../components/done.ts';
import { useTexts } from '../../texts/texts.tsx';

interface DeleteStoreProps {
  readonly store: Store;
  readonly onClose: () => void;
}

/** Says what goes with the store; its name has to be typed. */
export function DeleteStore({ store: { name }, onClose }: DeleteStoreProps) {
  const { common, stores: texts } = useTexts();
  const [entryOnly, setEntryOnly] = useState(false);
  const queries = useQueryClient();
  const done = useDone();
  const remove = useMutation({
    mutationFn: () => deleteStore(name, entryOnly),
    onSuccess: async () => {
      await queries.invalidateQueries(storesQuery);
      done(texts.removed(name));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={texts.removeTitle}
      action={common.delete}
      word={name}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Text size="sm" className="wrap-anywhere">
        {texts.removeText(name)}
      </Text>
      <Checkbox
        label={texts.entryOnly}
        description={texts.entryOnlyHint}
        checked={entryOnly}
        onChange={(event) => setEntryOnly(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  );
}
