import { ActionIcon, Badge, Button, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type Credential, isUsable, nameOf, type UsableCredential } from '../../api/credentials.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { ScrollTable } from '../../components/scroll-table.tsx';
import { SortHeader, type Sorting } from '../../components/sort-header.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** What can be done with a pair. */
export interface PairActions {
  readonly onOpen: (credential: UsableCredential) => void;
  readonly onEdit: (credential: UsableCredential) => void;
  readonly onDelete: (credential: Credential) => void;
}

export type PairColumn = 'label' | 'apiKey' | 'scopes';

interface PairsTableProps extends PairActions {
  readonly credentials: readonly Credential[];
  readonly sorting: Sorting<PairColumn>;
  readonly onSort: (sorting: Sorting<PairColumn>) => void;
}

export function PairsTable({ credentials, sorting, onSort, ...actions }: PairsTableProps) {
  const { common, pages, credentials: texts } = useTexts();
  const head = { sorting, onSort };
  return (
    <ScrollTable label={pages.credentials} minWidth={820}>
      <Table.Thead>
        <Table.Tr>
          <SortHeader column="label" {...head}>
            {texts.label}
          </SortHeader>
          <SortHeader column="apiKey" {...head}>
            {texts.apiKey}
          </SortHeader>
          <SortHeader column="scopes" {...head}>
            {texts.scopes}
          </SortHeader>
          <Table.Th scope="col">{common.actions}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {credentials.map((credential) => (
          <PairRow key={credential.id} credential={credential} {...actions} />
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

function PairRow({
  credential,
  onOpen,
  onEdit,
  onDelete,
}: PairActions & { readonly credential: Credential }) {
  const { common, credentials: texts } = useTexts();
  const { 'api-key': apiKey, label, scopes } = credential;
  const name = nameOf(credential);
  return (
    <Table.Tr>
      <Table.Td className="wrap-anywhere">
        <Group gap="xs">
          {label ? (
            <span>{label}</span>
          ) : (
            <Text c="dimmed" size="sm">
              {texts.noLabel}
            </Text>
          )}
          {credential['seed?'] && (
            <Badge variant="light" tt="none">
              {texts.seed}
            </Badge>
          )}
          {!isUsable(credential) && (
            <Badge color="red" variant="light" tt="none">
              {texts.unreadable}
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          <Text ff="monospace" size="sm">
            {shortened(apiKey)}
          </Text>
          <CopyButton value={apiKey} label={texts.copyApiKey(name)} />
        </Group>
      </Table.Td>
      <Table.Td>{scopes.join(', ') || common.none}</Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          {isUsable(credential) && (
            <>
              <Button
                size="compact-sm"
                variant="light"
                aria-label={texts.openNamed(name)}
                onClick={() => onOpen(credential)}
              >
                {texts.open}
              </Button>
              <IconAction
                label={texts.editNamed(name)}
                Icon={IconPencil}
                onClick={() => onEdit(credential)}
              />
            </>
          )}
          <IconAction label={texts.deleteNamed(name)} Icon={IconTrash} onClick={() => onDelete(credential)} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

interface IconActionProps {
  readonly label: string;
  readonly Icon: typeof IconTrash;
  readonly onClick: () => void;
}

function IconAction({ label, Icon, onClick }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" aria-label={label} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Keys made here have 64 characters, of which the first tell them apart. */
function shortened(apiKey: string): string {
  return apiKey.length > 20 ? `${apiKey.slice(0, 16)}…` : apiKey;
}
