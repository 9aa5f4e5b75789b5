import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Credential } from '../../api/credentials.ts';
import type { Sorting } from '../../components/sort-header.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { type PairActions, type PairColumn, PairsTable } from './pairs-table.tsx';

interface SortedPairsProps extends PairActions {
  readonly credentials: readonly Credential[];
  readonly search: string;
}

/** Those that fit the search, in the order that was chosen. */
export function SortedPairs({ credentials, search, ...actions }: SortedPairsProps) {
  const { credentials: texts } = useTexts();
  const [sorting, setSorting] = useState<Sorting<PairColumn>>({ column: 'label', descending: false });
  const wanted = search.trim().toLowerCase();
  const found = credentials
    .filter((credential) => searchedTextOf(credential).includes(wanted))
    .toSorted((a, b) => cellOf(a, sorting.column).localeCompare(cellOf(b, sorting.column)));
  const ordered = sorting.descending ? found.toReversed() : found;
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {credentials.length === 0 ? texts.noPairs : texts.count(found.length, credentials.length)}
      </Text>
      {found.length > 0 && (
        <PairsTable credentials={ordered} sorting={sorting} onSort={setSorting} {...actions} />
      )}
    </>
  );
}

function searchedTextOf({ label, 'api-key': apiKey, scopes }: Credential): string {
  return [label ?? '', apiKey, ...scopes].join('\n').toLowerCase();
}

function cellOf({ label, 'api-key': apiKey, scopes }: Credential, column: PairColumn): string {
  return { label: label ?? '', apiKey, scopes: scopes.join(', ') }[column];
}
