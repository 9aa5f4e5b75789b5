import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { defaultPaths } from '../../../../lib/csv/property-paths.ts';
import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ChosenColumns } from './chosen-columns.tsx';
import { ColumnSets } from './column-sets-bar.tsx';
import { Download } from './download.tsx';
import { ExportFilter } from './export-filter.tsx';
import { OtherColumns } from './other-columns.tsx';
import { Preview } from './preview.tsx';
import { filtersOf } from './queries.ts';
import { usePreview } from './use-preview.ts';

/** Statements as a table for a spreadsheet: which ones, which columns, how it looks, download. */
export function ExportScreen() {
  const { pages, export: texts } = useTexts();
  const [search] = useSearchParams();
  const filters = filtersOf(search);
  const [columns, setColumns] = useState(defaultPaths);
  const preview = usePreview(filters, columns);
  return (
    <Page title={pages.export}>
      <Text size="sm" maw={800}>
        {texts.intro}
      </Text>
      <Download filters={filters} columns={columns} />
      <ExportFilter filters={filters} error={preview.answer.error} />
      <Stack gap="sm">
        <ColumnSets columns={columns} onChoose={setColumns} />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <ChosenColumns columns={columns} onChange={setColumns} />
          <OtherColumns
            filters={filters}
            columns={columns}
            onAdd={(path) => setColumns([...columns, path])}
          />
        </SimpleGrid>
      </Stack>
      <Preview preview={preview} columns={columns} />
    </Page>
  );
}
