import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  createCredential,
  credentialsQuery,
  type Grant,
  nameOf,
  type UsableCredential,
  updateCredential,
} from '../../api/credentials.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useDone } from '../../components/done.ts';
import { useTexts } from '../../texts/texts.tsx';
import { PairForm } from './pair-form.tsx';
import { presets } from './presets.ts';

interface DialogProps {
  readonly onClose: () => void;
}

interface CreateDialogProps extends DialogProps {
  /** Called with the API key when the list has the new pair. */
  readonly onCreated: (apiKey: string) => void;
}

/** Label and scopes are chosen before there is a key. */
export function CreateDialog({ onCreated, onClose }: CreateDialogProps) {
  const { credentials: texts } = useTexts();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async (grant: Grant) => {
      const apiKey = await createCredential(grant);
      await queries.invalidateQueries(credentialsQuery);
      return apiKey;
    },
    onSuccess: onCreated,
  });
  return (
    <Dialog onClose={onClose} title={texts.create} size="lg">
      <PairForm
        initial={{ label: null, scopes: presets.sendAndRead }}
        action={texts.createAction}
        isPending={create.isPending}
        error={create.error}
        onSubmit={create.mutate}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Other scopes or another label for a pair; its key and secret stay. */
export function EditDialog({ credential, onClose }: DialogProps & { readonly credential: UsableCredential }) {
  const { common, credentials: texts } = useTexts();
  const queries = useQueryClient();
  const done = useDone();
  const update = useMutation({
    mutationFn: (grant: Grant) => updateCredential(credential, grant),
    onSuccess: async (_, grant) => {
      await queries.invalidateQueries(credentialsQuery);
      done(texts.saved(nameOf({ ...credential, ...grant })));
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={texts.edit} size="lg">
      <PairForm
        initial={{ label: credential.label ?? null, scopes: credential.scopes }}
        action={common.save}
        isPending={update.isPending}
        error={update.error}
        onSubmit={update.mutate}
        onCancel={onClose}
      />
    </Dialog>
  );
}
