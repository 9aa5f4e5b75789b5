import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeStore, type Store, storesQuery } from '../../api/stores.ts';
import { useDone } from '../../components/done.ts';
import { restOf } from '../../components/field-errors.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { draftOf, SettingsFields, settingsMembers, settingsOf } from './settings-fields.tsx';

interface ChangeSettingsProps {
  readonly store: Store;
  readonly onClose: () => void;
}

/** The settings that a store has for itself. */
export function ChangeSettings({ store: { name, settings }, onClose }: ChangeSettingsProps) {
  const { common, stores: texts } = useTexts();
  const [draft, setDraft] = useState(draftOf(settings));
  const queries = useQueryClient();
  const done = useDone();
  const change = useMutation({
    mutationFn: () => changeStore(name, { settings: settingsOf(draft) }),
    onSuccess: async () => {
      await queries.invalidateQueries(storesQuery);
      done(texts.settingsChanged(name));
      onClose();
    },
  });
  return (
    <FormDialog
      title={texts.settingsOf(name)}
      action={common.save}
      isPending={change.isPending}
      error={restOf(change.error, settingsMembers)}
      onSubmit={change.mutate}
      onClose={onClose}
    >
      <SettingsFields draft={draft} error={change.error} onChange={setDraft} />
    </FormDialog>
  );
}
