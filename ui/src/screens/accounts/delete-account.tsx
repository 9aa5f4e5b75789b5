import { Alert, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Account, accountsQuery, deleteAccount } from '../../api/accounts.ts';
import { session } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useDone } from '../../components/done.ts';
import { useTexts } from '../../texts/texts.tsx';

interface DeleteAccountProps {
  readonly account: Account;
  /** It is the account that is signed in. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

/** Says whose account goes, and what goes with it. The name has to be typed: key pairs can't be brought back. */
export function DeleteAccount({ account, isOwn, onClose }: DeleteAccountProps) {
  const { common, accounts: texts } = useTexts();
  const queries = useQueryClient();
  const done = useDone();
  const remove = useMutation({
    mutationFn: () => deleteAccount(account['account-id']),
    onSuccess: async () => {
      if (isOwn) {
        session.end('signed-out');
        return;
      }
      await queries.invalidateQueries(accountsQuery);
      done(texts.deleted(account.username));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      action={common.delete}
      word={account.username}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Text size="sm" className="wrap-anywhere">
        {texts.deleteText(account.username)}
      </Text>
      {isOwn && <Alert color="red">{texts.deleteOwn}</Alert>}
    </ConfirmDialog>
  );
}
