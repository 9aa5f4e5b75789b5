import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import {
  type Icon,
  IconAdjustments,
  IconDownload,
  IconEye,
  IconLock,
  IconLockOpen,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeStore, type Store, storeAddress, storeExportAddress, storesQuery } from '../../api/stores.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDone } from '../../components/done.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { download } from '../../components/save-file.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';

/** What asks in a dialog before it is done. */
export type StoreAction = 'settings' | 'read-only' | 'closed' | 'delete';

interface StoresTableProps {
  readonly stores: readonly Store[];
  readonly onAction: (store: Store, action: StoreAction) => void;
}

const colors = {
  open: 'green',
  'read-only': 'yellow',
  closed: 'gray',
  creating: 'red',
  moving: 'yellow',
  missing: 'red',
  deleting: 'red',
};

/** The stores with their addresses, states and problems. */
export function StoresTable({ stores, onAction }: StoresTableProps) {
  const { common, pages, stores: texts } = useTexts();
  const formats = useFormats();
  const { open, save, error } = useChanges();
  const columns: readonly Column<Store>[] = [
    {
      key: 'name',
      title: texts.name,
      noWrap: true,
      cell: ({ name }) => <Anchor href={storeAddress(name)}>{name}</Anchor>,
    },
    { key: 'state', title: texts.state, cell: (store) => <State store={store} /> },
    { key: 'server', title: texts.server, cell: ({ server }) => server },
    { key: 'created', title: texts.created, noWrap: true, cell: ({ created }) => formats.date(created) },
    {
      key: 'actions',
      title: common.actions,
      cell: (store) => (
        <Actions
          store={store}
          onAction={(action) => onAction(store, action)}
          onOpen={() => open(store.name)}
          onExport={() => save(store.name)}
        />
      ),
    },
  ];
  return (
    <Stack gap="sm">
      {error !== null && <ErrorNotice error={error} />}
      <DataTable
        label={pages.stores}
        minWidth={640}
        columns={columns}
        rows={stores}
        keyOf={({ name }) => name}
      />
    </Stack>
  );
}

/** What is done without asking: it takes nothing from anybody. */
function useChanges() {
  const { stores: texts } = useTexts();
  const queries = useQueryClient();
  const done = useDone();
  const open = useMutation({
    mutationFn: (name: string) => changeStore(name, { state: 'open' }),
    onSuccess: async (_, name) => {
      await queries.invalidateQueries(storesQuery);
      done(texts.done.open(name));
    },
  });
  const save = useMutation({
    mutationFn: async (name: string) => {
      const day = new Date().toISOString().slice(0, 10);
      download(await storeExportAddress(name), `${name}-${day}.ndjson.gz`);
    },
  });
  return { open: open.mutate, save: save.mutate, error: open.error ?? save.error };
}

/** The state, and below it why the store can't be used, if that is known, and what to do. */
function State({ store: { state, problem } }: { readonly store: Store }) {
  const { stores: texts } = useTexts();
  const formats = useFormats();
  const name = texts.states[state];
  const isBroken = problem !== undefined;
  const remedy = texts.remedies[state];
  return (
    <Stack gap={4} align="flex-start">
      <Badge variant="light" tt="none" color={isBroken ? 'red' : colors[state]}>
        {isBroken ? texts.broken(name) : name}
      </Badge>
      {isBroken && (
        <Text size="xs" maw={360} className="wrap-anywhere">
          {problem.text} {texts.since(formats.dateTime(problem.since))}
        </Text>
      )}
      {remedy !== undefined && (
        <Text size="xs" maw={360}>
          {remedy}
        </Text>
      )}
    </Stack>
  );
}

interface ActionsProps {
  readonly store: Store;
  readonly onAction: (action: StoreAction) => void;
  readonly onOpen: () => void;
  readonly onExport: () => void;
}

function Actions({ store, onAction, onOpen, onExport }: ActionsProps) {
  const { stores: texts } = useTexts();
  const { name, state } = store;
  const button = (key: keyof typeof texts.actions, icon: Icon, onClick: () => void) => (
    <Action name={name} label={texts.actions[key]} Icon={icon} onClick={onClick} />
  );
  const isReadable = state === 'open' || state === 'read-only';
  const isSettled = state !== 'creating' && state !== 'deleting';
  const hasDatabase = isSettled && state !== 'missing';
  return (
    <Group gap={4}>
      {isSettled && state !== 'open' && button('open', IconLockOpen, onOpen)}
      {hasDatabase && state !== 'read-only' && button('read-only', IconEye, () => onAction('read-only'))}
      {hasDatabase && state !== 'closed' && button('closed', IconLock, () => onAction('closed'))}
      {isSettled && button('settings', IconAdjustments, () => onAction('settings'))}
      {isReadable && button('export', IconDownload, onExport)}
      {!isReadable && state !== 'moving' && button('delete', IconTrash, () => onAction('delete'))}
    </Group>
  );
}

interface ActionProps {
  /** The name of the store. */
  readonly name: string;
  readonly label: string;
  readonly Icon: Icon;
  readonly onClick: () => void;
}

function Action({ name, label, Icon: Shown, onClick }: ActionProps) {
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      leftSection={<Shown size={14} aria-hidden />}
      aria-label={`${label}: ${name}`}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
