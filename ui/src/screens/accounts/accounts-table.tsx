import { ActionIcon, Badge, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Account } from '../../api/accounts.ts';
import { ScrollTable } from '../../components/scroll-table.tsx';
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
  return (
    <ScrollTable label={pages.accounts} minWidth={320}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{texts.username}</Table.Th>
          <Table.Th scope="col">{common.actions}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {accounts.map((account) => (
          <Table.Tr key={account['account-id']}>
            <Table.Td className="wrap-anywhere">
              <Group gap="xs">
                {account.username}
                {account['account-id'] === ownId && (
                  <Badge variant="light" tt="none">
                    {texts.you}
                  </Badge>
                )}
              </Group>
            </Table.Td>
            <Table.Td>
              {accounts.length > 1 ? (
                <Tooltip label={texts.deleteNamed(account.username)}>
                  <ActionIcon
                    variant="subtle"
                    aria-label={texts.deleteNamed(account.username)}
                    onClick={() => onDelete(account)}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              ) : (
                <Text size="sm" c="dimmed">
                  {texts.onlyAccount}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}
