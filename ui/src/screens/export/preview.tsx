import { Loader, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ScrollTable } from '../../components/scroll-table.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { keyOf } from './paths.ts';
import { type Filters, previewQuery } from './queries.ts';

interface PreviewProps {
  readonly filters: Filters;
  readonly columns: readonly PropertyPath[];
}

/** The first ten rows, as the server exports them. */
export function Preview({ filters, columns }: PreviewProps) {
  const { export: texts } = useTexts();
  const fetched = useColumnsSoFar(columns);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...previewQuery(filters, fetched),
    enabled: fetched.length > 0,
  });
  const places = columns.map((path) => fetched.findIndex((each) => keyOf(each) === keyOf(path)));
  const [header = [], ...rows] = data ?? [];
  return (
    <Stack gap="xs" component="section" aria-label={texts.preview} aria-busy={isFetching}>
      <Title order={2} size="h4">
        {texts.preview} {isFetching && <Loader size="xs" aria-hidden />}
      </Title>
      {error !== null && !isPlaceholderData && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && error === null && columns.length > 0 && (
        <PreviewTable header={header} rows={rows} places={places} />
      )}
      {data !== undefined && rows.length === 0 && <Text size="sm">{texts.noRows}</Text>}
    </Stack>
  );
}

/** All that were chosen since the page was opened: those that are only moved or removed need no new request. */
function useColumnsSoFar(columns: readonly PropertyPath[]): readonly PropertyPath[] {
  const [all, setAll] = useState(columns);
  const known = new Set(all.map(keyOf));
  const fresh = columns.filter((path) => !known.has(keyOf(path)));
  if (fresh.length > 0) setAll([...all, ...fresh]);
  return all;
}

interface PreviewTableProps {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Which cells are shown, in their order. */
  readonly places: readonly number[];
}

function PreviewTable({ header, rows, places }: PreviewTableProps) {
  const { export: texts } = useTexts();
  return (
    <ScrollTable label={texts.previewTable} minWidth={Math.max(places.length * 140, 300)}>
      <Table.Thead>
        <Table.Tr>
          {places.map((place) => (
            <Table.Th key={place} scope="col" style={{ whiteSpace: 'nowrap' }}>
              {header[place]}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else that tells them apart.
          <Table.Tr key={at}>
            {places.map((place) => (
              <Table.Td key={place} maw={280}>
                <Text size="xs" truncate title={row[place] ?? ''}>
                  {row[place]}
                </Text>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}
