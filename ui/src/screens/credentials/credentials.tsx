import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Credential, credentialsQuery, isUsable, type UsableCredential } from '../../api/credentials.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { PairDetails } from './pair-details.tsx';
import { CreateDialog, EditDialog } from './pair-dialogs.tsx';
import type { PairActions } from './pairs-table.tsx';
import { SortedPairs } from './sorted-pairs.tsx';

/** What is open over the table. */
type Dialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit'; readonly credential: UsableCredential }
  | { readonly kind: 'delete'; readonly credential: Credential }
  | { readonly kind: 'details'; readonly apiKey: string; readonly isNew: boolean };

/** The key pairs of the account, with which programs call the xAPI. */
export function CredentialsScreen() {
  const { pages, credentials: texts } = useTexts();
  const { data, error, refetch } = useQuery(credentialsQuery);
  const [dialog, setDialog] = useState<Dialog>();
  const [search, setSearch] = useState('');
  const actions: PairActions = {
    onOpen: (credential) => setDialog({ kind: 'details', apiKey: credential['api-key'], isNew: false }),
    onEdit: (credential) => setDialog({ kind: 'edit', credential }),
    onDelete: (credential) => setDialog({ kind: 'delete', credential }),
  };
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog({ kind: 'create' })}>
      {texts.create}
    </Button>
  );
  return (
    <Page title={pages.credentials} actions={create}>
      <Text size="sm">{texts.intro}</Text>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Waiting />
      ) : (
        <Stack>
          <TextInput
            type="search"
            label={texts.search}
            leftSection={<IconSearch size={16} aria-hidden />}
            maw={360}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          {!data.every(isUsable) && <Alert color="red">{texts.unreadableText}</Alert>}
          <SortedPairs credentials={data} search={search} {...actions} />
          <OpenDialog dialog={dialog} credentials={data} onChange={setDialog} />
        </Stack>
      )}
    </Page>
  );
}

interface OpenDialogProps {
  readonly dialog: Dialog | undefined;
  readonly credentials: readonly Credential[];
  readonly onChange: (dialog: Dialog | undefined) => void;
}

function OpenDialog({ dialog, credentials, onChange }: OpenDialogProps) {
  const onClose = () => onChange(undefined);
  if (dialog?.kind === 'create') {
    const onCreated = (apiKey: string) => onChange({ kind: 'details', apiKey, isNew: true });
    return <CreateDialog onCreated={onCreated} onClose={onClose} />;
  }
  if (dialog?.kind === 'edit') return <EditDialog credential={dialog.credential} onClose={onClose} />;
  if (dialog?.kind === 'delete') return <DeleteDialog credential={dialog.credential} onClose={onClose} />;
  const opened = credentials.find((each) => each['api-key'] === dialog?.apiKey);
  if (dialog === undefined || opened === undefined || !isUsable(opened)) return null;
  return <PairDetails credential={opened} isNew={dialog.isNew} onClose={onClose} />;
}
