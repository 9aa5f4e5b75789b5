import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Store, storesQuery } from '../../api/stores.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ChangeSettings } from './change-settings.tsx';
import { ChangeState } from './change-state.tsx';
import { CreateStore } from './create-store.tsx';
import { DeleteStore } from './delete-store.tsx';
import { type StoreAction, StoresTable } from './stores-table.tsx';

/** What is open over the table. */
type Dialog = 'create' | { readonly store: Store; readonly action: StoreAction };

/** The stores of the installation, beside the one that is shown here. */
export function StoresScreen() {
  const { pages, stores: texts } = useTexts();
  const list = useInfiniteQuery(storesQuery);
  const [dialog, setDialog] = useState<Dialog>();
  const stores = list.data?.pages.flatMap((page) => page.stores);
  const onClose = () => setDialog(undefined);
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog('create')}>
      {texts.create}
    </Button>
  );
  return (
    <Page title={pages.stores} actions={create}>
      <Text size="sm" maw={800}>
        {texts.intro}
      </Text>
      {list.isPending && <Waiting />}
      {stores?.length === 0 && <Text size="sm">{texts.none}</Text>}
      {stores !== undefined && stores.length > 0 && (
        <StoresTable stores={stores} onAction={(store, action) => setDialog({ store, action })} />
      )}
      {list.error !== null && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.hasNextPage && (
        <Group>
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {texts.more}
          </Button>
        </Group>
      )}
      {dialog === 'create' && <CreateStore servers={list.data?.pages[0]?.servers ?? []} onClose={onClose} />}
      {typeof dialog === 'object' && <StoreDialog {...dialog} onClose={onClose} />}
    </Page>
  );
}

interface StoreDialogProps {
  readonly store: Store;
  readonly action: StoreAction;
  readonly onClose: () => void;
}

function StoreDialog({ store, action, onClose }: StoreDialogProps) {
  if (action === 'delete') return <DeleteStore store={store} onClose={onClose} />;
  if (action === 'settings') return <ChangeSettings store={store} onClose={onClose} />;
  return <ChangeState store={store} state={action} onClose={onClose} />;
}
