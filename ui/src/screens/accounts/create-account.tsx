import { Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordRules, usernameRules } from '../../../../lib/accounts/rules.ts';
import { accountsQuery, createAccount } from '../../api/accounts.ts';
import { useDone } from '../../components/done.ts';
import { fieldError, restOf } from '../../components/field-errors.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { NewPassword } from './new-password.tsx';
import { RuleList } from './rule-list.tsx';

/** Name and password of a new account; the server judges them, the rules beside the fields say by what. */
export function CreateAccount({ onClose }: { readonly onClose: () => void }) {
  const { accounts: texts } = useTexts();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const done = useDone();
  const create = useMutation({
    mutationFn: () => createAccount(username, password),
    onSuccess: async () => {
      await queries.invalidateQueries(accountsQuery);
      done(texts.created(username));
      onClose();
    },
  });
  return (
    <FormDialog
      title={texts.create}
      action={texts.createAction}
      isPending={create.isPending}
      error={restOf(create.error, ['username', 'password'])}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <Stack gap="xs">
        <TextInput
          label={texts.username}
          autoComplete="off"
          required
          data-autofocus
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          error={fieldError(create.error, 'username')}
        />
        <RuleList rules={usernameRules} text={username} />
      </Stack>
      <NewPassword
        label={texts.password}
        value={password}
        rules={passwordRules}
        error={fieldError(create.error, 'password')}
        onChange={setPassword}
      />
    </FormDialog>
  );
}
