import { Anchor, Badge, Group, Stack } from '@mantine/core';
import { IconDownload, IconEye, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChosenState } from '../../../../lib/stores/types.ts';
import { changeStore, type Store, storeAddress, storeExportAddress, storesQuery } from '../../api/stores.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDone } from '../../components/done.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { IconAction } from '../../components/icon-action.tsx';
import { download } from '../../components/save-file.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';

interface StoresTableProps {
  readonly stores: readonly Store[];
  readonly onDelete: (store: Store) => void;
}

const colors = {
  open: 'green',
  'read-only': 'yellow',
  closed: 'gray',
  creating: 'red',
  missing: 'red',
  deleting: 'red',
};

/** What each state can be changed to by a click. */
const choices = [
  { state: 'open', action: 'open', done: 'opened', icon: IconLockOpen },
  { state: 'read-only', action: 'suspend', done: 'suspended', icon: IconEye },
  { state: 'closed', action: 'close', done: 'closed', icon: IconLock },
] as const;

/** The stores with their addresses and states. */
export function StoresTable({ stores, onDelete }: StoresTableProps) {
  const { common, pages, stores: texts } = useTexts();
  const formats = useFormats();
  const queries = useQueryClient();
  const done = useDone();
  const change = useMutation({
    mutationFn: ({ name, state }: { readonly name: string; readonly state: ChosenState }) =>
      changeStore(name, state),
    onSuccess: async (_, { name, state }) => {
      await queries.invalidateQueries(storesQuery);
      const choice = choices.find((each) => each.state === state);
      if (choice !== undefined) done(texts[choice.done](name));
    },
  });
  const save = useMutation({
    mutationFn: async (name: string) => {
      const day = new Date().toISOString().slice(0, 10);
      download(await storeExportAddress(name), `${name}-${day}.ndjson.gz`);
    },
  });
  const error = change.error ?? save.error;
  const columns: readonly Column<Store>[] = [
    {
      key: 'name',
      title: texts.name,
      cell: ({ name }) => <Anchor href={storeAddress(name)}>{name}</Anchor>,
    },
    {
      key: 'state',
      title: texts.state,
      cell: ({ state }) => (
        <Badge variant="light" tt="none" color={colors[state]}>
          {texts.states[state]}
        </Badge>
      ),
    },
    { key: 'server', title: texts.server, cell: ({ server }) => server },
    { key: 'created', title: texts.created, noWrap: true, cell: ({ created }) => formats.date(created) },
    {
      key: 'actions',
      title: common.actions,
      cell: (store) => (
        <Group gap={4}>
          {isSettled(store) &&
            choices
              .filter(({ state }) => state !== store.state)
              .map(({ state, action, icon }) => (
                <IconAction
                  key={state}
                  label={texts[action](store.name)}
                  Icon={icon}
                  onClick={() => change.mutate({ name: store.name, state })}
                />
              ))}
          {isReadable(store) ? (
            <IconAction
              label={texts.export(store.name)}
              Icon={IconDownload}
              onClick={() => save.mutate(store.name)}
            />
          ) : (
            <IconAction label={texts.remove(store.name)} Icon={IconTrash} onClick={() => onDelete(store)} />
          )}
        </Group>
      ),
    },
  ];
  return (
    <Stack gap="sm">
      {error !== null && <ErrorNotice error={error} />}
      <DataTable
        label={pages.stores}
        minWidth={480}
        columns={columns}
        rows={stores}
        keyOf={({ name }) => name}
      />
    </Stack>
  );
}

const isReadable = ({ state }: Store): boolean => state === 'open' || state === 'read-only';

const isSettled = ({ state }: Store): boolean => state !== 'creating' && state !== 'deleting';
