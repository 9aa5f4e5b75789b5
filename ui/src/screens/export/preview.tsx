import { Loader, Stack, Table, Text, Title } from '@mantine/core';
import { mapColumns, type PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ScrollTable } from '../../components/scroll-table.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { keyOf } from '../../xapi/property-path.ts';
import type { PreviewState } from './use-preview.ts';

interface PreviewProps {
  readonly preview: PreviewState;
  readonly columns: readonly PropertyPath[];
  readonly hasMaps: boolean;
}

/** The first ten rows, as the server exports them. */
export function Preview({ preview: { fetched, answer }, columns, hasMaps }: PreviewProps) {
  const { export: texts } = useTexts();
  const { data, error, isFetching, refetch } = answer;
  const places = placesOf(columns, fetched);
  const maps = hasMaps ? placesOf(mapColumns(columns), mapColumns(fetched)) : [];
  const [header = [], ...rows] = data ?? [];
  const isShown = data !== undefined && error === null && columns.length > 0;
  return (
    <Stack gap="xs" component="section" aria-label={texts.preview} aria-busy={isFetching}>
      <Title order={2} size="h4">
        {texts.preview} {isFetching && <Loader size="xs" aria-hidden />}
      </Title>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isShown && (
        <PreviewTable
          header={header}
          rows={rows}
          places={[...places, ...maps.map((place) => fetched.length + place)]}
        />
      )}
      {isShown && rows.length === 0 && <Text size="sm">{texts.noRows}</Text>}
    </Stack>
  );
}

/** Where the columns stand among others. */
function placesOf(columns: readonly PropertyPath[], among: readonly PropertyPath[]): number[] {
  return columns.map((path) => among.findIndex((each) => keyOf(each) === keyOf(path)));
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
