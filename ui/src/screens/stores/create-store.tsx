import { Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordRules, usernameRules } from '../../../../lib/accounts/rules.ts';
import { mainServer } from '../../../../lib/stores/types.ts';
import { createStore, storesQuery } from '../../api/stores.ts';
import { useDone } from '../../components/done.ts';
import { fieldError, restOf } from '../../components/field-errors.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { NewPassword } from '../accounts/new-password.tsx';
import { RuleList } from '../accounts/rule-list.tsx';
import { draftOf, SettingsFields, settingsMembers, settingsOf } from './settings-fields.tsx';

const members = ['name', 'server', 'account.username', 'account.password', ...settingsMembers];

interface CreateStoreProps {
  /** The database servers that it can be made on, that of the default store first. */
  readonly servers: readonly string[];
  readonly onClose: () => void;
}

/** The name of a store, its database server, its settings and its first account; the server judges them. */
export function CreateStore({ servers, onClose }: CreateStoreProps) {
  const { accounts, stores: texts } = useTexts();
  const [name, setName] = useState('');
  const [server, setServer] = useState(servers[0] ?? mainServer);
  const [draft, setDraft] = useState(draftOf({}));
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const done = useDone();
  const create = useMutation({
    mutationFn: () =>
      createStore({ name, server, settings: settingsOf(draft), account: { username, password } }),
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
      {servers.length > 1 && (
        <Select
          label={texts.server}
          description={texts.serverHint}
          data={[...servers]}
          allowDeselect={false}
          value={server}
          onChange={(value) => setServer(value ?? mainServer)}
          error={fieldError(create.error, 'server')}
        />
      )}
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
      <SettingsFields draft={draft} error={create.error} onChange={setDraft} />
    </FormDialog>
  );
}
