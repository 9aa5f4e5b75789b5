import { Alert, Button, Group, Text } from '@mantine/core';
import { IconLock, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Account, accountsQuery, meQuery } from '../../api/accounts.ts';
import { type Environment, useEnvironment } from '../../api/environment.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { AccountsTable } from './accounts-table.tsx';
import { ChangePassword } from './change-password.tsx';
import { CreateAccount } from './create-account.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ResetPassword } from './reset-password.tsx';

/** What is open over the table. */
type Dialog = 'create' | 'change' | { readonly of: 'delete' | 'reset'; readonly account: Account };

/** Who may sign in to the administration. */
export function AccountsScreen() {
  const { pages, accounts: texts } = useTexts();
  const environment = useEnvironment();
  const { data: accounts, error, refetch } = useQuery(accountsQuery);
  const { data: me } = useQuery(meQuery);
  const [dialog, setDialog] = useState<Dialog>();
  const elsewhere = loginsElsewhere(environment);
  const onClose = () => setDialog(undefined);
  return (
    <Page title={pages.accounts} actions={elsewhere === undefined && <Actions onChoose={setDialog} />}>
      <Text size="sm">{texts.intro}</Text>
      {elsewhere !== undefined && <Alert>{texts[elsewhere]}</Alert>}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {accounts === undefined && error === null && <Waiting />}
      {accounts !== undefined && (
        <AccountsTable
          accounts={accounts}
          ownId={me?.['account-id']}
          onDelete={(account) => setDialog({ of: 'delete', account })}
          onReset={elsewhere === undefined ? (account) => setDialog({ of: 'reset', account }) : undefined}
        />
      )}
      {dialog === 'create' && <CreateAccount onClose={onClose} />}
      {dialog === 'change' && <ChangePassword onClose={onClose} />}
      {typeof dialog === 'object' && dialog.of === 'reset' && (
        <ResetPassword account={dialog.account} onClose={onClose} />
      )}
      {typeof dialog === 'object' && dialog.of === 'delete' && (
        <DeleteAccount
          account={dialog.account}
          isOwn={dialog.account['account-id'] === me?.['account-id']}
          onClose={onClose}
        />
      )}
    </Page>
  );
}

function Actions({ onChoose }: { readonly onChoose: (dialog: Dialog) => void }) {
  const { accounts: texts } = useTexts();
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconLock size={16} aria-hidden />}
        onClick={() => onChoose('change')}
      >
        {texts.change}
      </Button>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onChoose('create')}>
        {texts.create}
      </Button>
    </Group>
  );
}

/** Who vouches for people where passwords have no use; undefined where they sign in with one. */
function loginsElsewhere(environment: Environment): 'byProvider' | 'byProxy' | undefined {
  if (environment.oidc !== undefined) {
    return environment['oidc-enable-local-admin'] ? undefined : 'byProvider';
  }
  return environment['no-val?'] ? 'byProxy' : undefined;
}
