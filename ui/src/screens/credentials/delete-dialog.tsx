import { Code, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Credential, credentialsQuery, deleteCredential, nameOf } from '../../api/credentials.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useDone } from '../../components/done.ts';
import { useTexts } from '../../texts/texts.tsx';

interface DeleteDialogProps {
  readonly credential: Credential;
  readonly onClose: () => void;
}

/** Names the pair, so that nobody deletes another one. */
export function DeleteDialog({ credential, onClose }: DeleteDialogProps) {
  const { common, credentials: texts } = useTexts();
  const queries = useQueryClient();
  const done = useDone();
  const remove = useMutation({
    mutationFn: () => deleteCredential(credential),
    onSuccess: async () => {
      await queries.invalidateQueries(credentialsQuery);
      done(texts.deleted(nameOf(credential)));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      action={common.delete}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Text size="sm" className="wrap-anywhere">
        {credential.label ? texts.deleteLabelled(credential.label) : texts.deleteUnlabelled}
      </Text>
      <Code className="wrap-anywhere">{credential['api-key']}</Code>
      <Text size="sm">{texts.deleteText}</Text>
    </ConfirmDialog>
  );
}
