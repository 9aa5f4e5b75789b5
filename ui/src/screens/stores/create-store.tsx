import { Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordRules, usernameRules } from '../../../../lib/accounts/rules.ts';
import { createStore, storesQuery } from '../../api/stores.ts';
import { useDone } from '../../components/done.ts';
import { fieldError, restOf } from '../../components/field-errors.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { NewPassword } from '../accounts/new-password.tsx';
import { RuleList } from '../accounts/rule-list.tsx';

const members = ['name', 'account.username', 'account.password'];

/** The name of a store and its first account; the server judges them. */
export function CreateStore({ onClose }: { readonly onClose: () => void }) {
  const { accounts, stores: texts } = useTexts();
  const [name, setName] = useState('');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const done = useDone();
  const create = useMutation({
    mutationFn: () => createStore({ name, account: { username, password } }),
    onSuccess: async () => {
      await queries.invalidateQueries(storesQuery);
      done(texts.createdDone(name));
      onClose();
    },
  });
  return (
    <FormDialog
      title={texts.create}
      action={texts.createAction}
      isPending={create.isPending}
      error={restOf(create.error, members)}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        autoComplete="off"
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(create.error, 'name')}
      />
      <Text size="sm">{texts.createText}</Text>
      <Stack gap="xs">
        <TextInput
          label={accounts.username}
          autoComplete="off"
          required
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          error={fieldError(create.error, 'account.username')}
        />
        <RuleList rules={usernameRules} text={username} />
      </Stack>
      <NewPassword
        label={accounts.password}
        value={password}
        rules={passwordRules}
        error={fieldError(create.error, 'account.password')}
        onChange={setPassword}
      />
    </FormDialog>
  );
}
