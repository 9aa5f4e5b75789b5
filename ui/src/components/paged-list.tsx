import { Box, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BrowsePage } from '../api/browse-pages.ts';
import { useTexts } from '../texts/texts.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Pager } from './pager.tsx';
import type { ListAddress, ListPlace } from './use-list-address.ts';
import { useListTop } from './use-list-top.ts';
import { Waiting } from './waiting.tsx';

interface PagedListProps<Entry> {
  readonly page: UseQueryResult<BrowsePage<Entry>>;
  readonly address: ListAddress;
  /** Said when there is no entry at all. */
  readonly empty: string;
  readonly children: (entries: readonly Entry[]) => ReactNode;
}

/** A page of a list and the way to the others. */
export function PagedList<Entry>({ page, address, empty, children }: PagedListProps<Entry>) {
  const { lists } = useTexts();
  const { data, error, isPlaceholderData, refetch } = page;
  const list = useListTop(data === undefined || isPlaceholderData ? undefined : address.place.from);
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const { entries, next } = data;
  return (
    <Stack ref={list} gap="sm" className="below-header">
      <Box aria-busy={isPlaceholderData}>{entries.length > 0 && children(entries)}</Box>
      <Text role="status" size="sm" c="dimmed">
        {entries.length === 0 ? (
          <Nothing place={address.place} empty={empty} />
        ) : (
          lists.onPage(entries.length)
        )}
      </Text>
      <Pager {...turns(address, next)} isLoading={isPlaceholderData} />
    </Stack>
  );
}

/** Why there is no entry: only what is searched or filtered by is mentioned. */
function Nothing({ place: { from, filters }, empty }: { readonly place: ListPlace; readonly empty: string }) {
  const { lists } = useTexts();
  const { search = '', ...others } = filters;
  const isFiltered = Object.values(others).some((value) => value !== '');
  if (isFiltered) return search === '' ? lists.noFiltered : lists.noFilteredMatch(search);
  if (search !== '') return lists.noMatch(search);
  return from === '' ? empty : lists.noMore;
}

/** The ways to the pages around this one. */
function turns({ place: { from, trail }, go }: ListAddress, next: string | undefined) {
  const back = trail.at(-1);
  const turn = (place: Partial<ListPlace>) => () => go({ show: undefined, ...place });
  return {
    page: from === '' || trail.length > 0 ? trail.length + 1 : undefined,
    onFirst: from === '' ? undefined : turn({ from: '', trail: [] }),
    onPrevious: back === undefined ? undefined : turn({ from: back, trail: trail.slice(0, -1) }),
    onNext: next === undefined ? undefined : turn({ from: next, trail: [...trail, from] }),
  };
}
