import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordRules, usernameRules } from '../../../../lib/accounts/rules.ts';
import { accountsQuery, createAccount } from '../../api/accounts.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useDone } from '../../components/done.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { fieldError, restOf } from '../../components/field-errors.ts';
import { useTexts } from '../../texts/texts.tsx';
import { NewPassword } from './new-password.tsx';
import { RuleList } from './rule-list.tsx';

/** Name and password of a new account; the server judges them, the rules beside the fields say by what. */
export function CreateAccount({ onClose }: { readonly onClose: () => void }) {
  const { common, accounts: texts } = useTexts();
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
  const rest = restOf(create.error, ['username', 'password']);
  return (
    <Dialog onClose={onClose} title={texts.create}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack>
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
          {rest !== null && <ErrorNotice error={rest} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {texts.createAction}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
