import { Badge, Button, Group, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type Credential, isUsable, nameOf, type UsableCredential } from '../../api/credentials.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { IconAction } from '../../components/icon-action.tsx';
import type { Sorting } from '../../components/sort-header.tsx';
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
  const columns: readonly Column<Credential, PairColumn>[] = [
    { key: 'label', title: texts.label, sortKey: 'label', cell: (each) => <Label credential={each} /> },
    { key: 'apiKey', title: texts.apiKey, sortKey: 'apiKey', cell: (each) => <ApiKey credential={each} /> },
    {
      key: 'scopes',
      title: texts.scopes,
      sortKey: 'scopes',
      cell: ({ scopes }) => scopes.join(', ') || common.none,
    },
    { key: 'actions', title: common.actions, cell: (each) => <Actions credential={each} {...actions} /> },
  ];
  return (
    <DataTable
      label={pages.credentials}
      minWidth={820}
      columns={columns}
      rows={credentials}
      keyOf={({ id }) => id}
      opens
      sorting={sorting}
      onSort={onSort}
    />
  );
}

interface CredentialProps {
  readonly credential: Credential;
}

function Label({ credential }: CredentialProps) {
  const { credentials: texts } = useTexts();
  return (
    <Group gap="xs">
      {credential.label ? (
        <span>{credential.label}</span>
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
  );
}

function ApiKey({ credential }: CredentialProps) {
  const { credentials: texts } = useTexts();
  const apiKey = credential['api-key'];
  return (
    <Group gap={4} wrap="nowrap">
      <Text ff="monospace" size="sm">
        {shortened(apiKey)}
      </Text>
      <CopyButton value={apiKey} label={texts.copyApiKey(nameOf(credential))} />
    </Group>
  );
}

function Actions({ credential, onOpen, onEdit, onDelete }: PairActions & CredentialProps) {
  const { credentials: texts } = useTexts();
  const name = nameOf(credential);
  return (
    <Group gap={4} wrap="nowrap">
      {isUsable(credential) && (
        <>
          <Button
            size="compact-sm"
            variant="light"
            aria-label={texts.openNamed(name)}
            data-row
            onClick={() => onOpen(credential)}
          >
            {texts.open}
          </Button>
          <IconAction label={texts.editNamed(name)} Icon={IconPencil} onClick={() => onEdit(credential)} />
        </>
      )}
      <IconAction label={texts.deleteNamed(name)} Icon={IconTrash} onClick={() => onDelete(credential)} />
    </Group>
  );
}

/** Keys made here have 64 characters, of which the first tell them apart. */
function shortened(apiKey: string): string {
  return apiKey.length > 20 ? `${apiKey.slice(0, 16)}…` : apiKey;
}
