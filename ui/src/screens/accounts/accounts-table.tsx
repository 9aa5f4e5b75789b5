import { Badge, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Account } from '../../api/accounts.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { IconAction } from '../../components/icon-action.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface AccountsTableProps {
  readonly accounts: readonly Account[];
  /** The id of the account that is signed in. */
  readonly ownId: string | undefined;
  readonly onDelete: (account: Account) => void;
}

/** Who may sign in. The server keeps the only account, so there is no button for that. */
export function AccountsTable({ accounts, ownId, onDelete }: AccountsTableProps) {
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
          <IconAction
            label={texts.deleteNamed(account.username)}
            Icon={IconTrash}
            onClick={() => onDelete(account)}
          />
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
