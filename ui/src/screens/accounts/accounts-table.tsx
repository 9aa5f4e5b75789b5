import { Badge, Group, Text } from '@mantine/core';
import { IconKey, IconTrash } from '@tabler/icons-react';
import type { Account } from '../../api/accounts.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { IconAction } from '../../components/icon-action.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface AccountsTableProps {
  readonly accounts: readonly Account[];
  /** The id of the account that is signed in. */
  readonly ownId: string | undefined;
  readonly onDelete: (account: Account) => void;
  /** Undefined where nobody signs in with a password. */
  readonly onReset: ((account: Account) => void) | undefined;
}

/** Who may sign in. The server keeps the only account, so there is no button for that. */
export function AccountsTable({ accounts, ownId, onDelete, onReset }: AccountsTableProps) {
  const { common, pages, accounts: texts } = useTexts();
  const columns: readonly Column<Account>[] = [
    {
      key: 'name',
      title: texts.username,
      cell: (account) => (
        <Group gap="xs">
          {account.username}
          {account['account-id'] === ownId && (
            <Badge variant="light" tt="none">
              {texts.you}
            </Badge>
          )}
        </Group>
      ),
    },
    {
      key: 'actions',
      title: common.actions,
      cell: (account) =>
        accounts.length > 1 ? (
          <Group gap={4}>
            {onReset !== undefined && account['account-id'] !== ownId && (
              <IconAction
                label={texts.resetNamed(account.username)}
                Icon={IconKey}
                onClick={() => onReset(account)}
              />
            )}
            <IconAction
              label={texts.deleteNamed(account.username)}
              Icon={IconTrash}
              onClick={() => onDelete(account)}
            />
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            {texts.onlyAccount}
          </Text>
        ),
    },
  ];
  return (
    <DataTable
      label={pages.accounts}
      minWidth={320}
      columns={columns}
      rows={accounts}
      keyOf={(account) => account['account-id']}
    />
  );
}
