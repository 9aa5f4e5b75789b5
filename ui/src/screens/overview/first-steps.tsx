import { Alert, Anchor, Button, List, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import {
  chooseCredential,
  createCredential,
  credentialsQuery,
  nameOf,
  type UsableCredential,
  useCredentials,
} from '../../api/credentials.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { FirstCommands } from './first-commands.tsx';

/** Of an empty store: how the first statement gets in. */
export function FirstSteps() {
  const { overview: texts, pages } = useTexts();
  const { credentials, isPending, error } = useCredentials();
  const writers = credentials.filter(canDoBoth);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="first-steps">
      <Stack>
        <Title order={2} size="h4" id="first-steps">
          {texts.firstSteps}
        </Title>
        <Text size="sm">{texts.firstStepsText}</Text>
        {error !== null && <ErrorNotice error={error} />}
        {isPending && <Waiting />}
        {!isPending &&
          error === null &&
          (writers.length === 0 ? <MakeKey /> : <Commands writers={writers} />)}
        <Text size="sm">{texts.thenText}</Text>
        <List size="sm">
          <List.Item>
            <Anchor component={Link} to="/credentials" size="sm" underline="always">
              {pages.credentials}
            </Anchor>
            : {texts.thenKeys}
          </List.Item>
          <List.Item>
            <Anchor component={Link} to="/upload" size="sm" underline="always">
              {pages.upload}
            </Anchor>
            : {texts.thenUpload}
          </List.Item>
          <List.Item>
            <Anchor component={Link} to="/accounts" size="sm" underline="always">
              {pages.accounts}
            </Anchor>
            : {texts.thenAccounts}
          </List.Item>
        </List>
      </Stack>
    </Paper>
  );
}

function Commands({ writers }: { readonly writers: readonly UsableCredential[] }) {
  const { overview: texts } = useTexts();
  const [apiKey, setApiKey] = useState<string | null>(null);
  const credential = writers.find((each) => each['api-key'] === apiKey) ?? writers[0];
  if (credential === undefined) return null;
  return (
    <>
      {writers.length > 1 && (
        <Select
          label={texts.withKey}
          w={260}
          allowDeselect={false}
          value={credential['api-key']}
          data={writers.map((each) => ({ value: each['api-key'], label: nameOf(each) }))}
          onChange={setApiKey}
        />
      )}
      <FirstCommands credential={credential} />
    </>
  );
}

function MakeKey() {
  const { overview: texts } = useTexts();
  const queries = useQueryClient();
  const making = useMutation({
    mutationFn: () =>
      createCredential({ scopes: ['statements/write', 'statements/read'], label: texts.firstKeyLabel }),
    onSuccess: async (apiKey) => {
      chooseCredential(apiKey);
      await queries.invalidateQueries(credentialsQuery);
    },
  });
  return (
    <Alert title={texts.noKey}>
      <Stack align="flex-start">
        <Text size="sm">{texts.noKeyText}</Text>
        {making.error !== null && <ErrorNotice error={making.error} />}
        <Button size="xs" loading={making.isPending} onClick={() => making.mutate()}>
          {texts.makeKey}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Whether a pair may send statements and read them. */
function canDoBoth({ scopes }: UsableCredential): boolean {
  if (scopes.includes('all')) return true;
  const canRead = scopes.some((scope) =>
    ['all/read', 'statements/read', 'statements/read/mine'].includes(scope),
  );
  return canRead && scopes.includes('statements/write');
}
