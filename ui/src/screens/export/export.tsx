import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { defaultPaths, type PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useLanguages } from '../../texts/use-names.ts';
import type { Filters } from '../statements/filters.ts';
import { ChosenColumns } from './chosen-columns.tsx';
import { ColumnSets } from './column-sets-bar.tsx';
import { csvRowBytes } from './csv-text.ts';
import { Download } from './download.tsx';
import { ExpectedSize } from './expected-size.tsx';
import { type FileKind, fileOf } from './export-file.ts';
import { ExportFilter } from './export-filter.tsx';
import { FileChoice } from './file-choice.tsx';
import { JsonPreview } from './json-preview.tsx';
import { OtherColumns } from './other-columns.tsx';
import { Preview } from './preview.tsx';
import { filtersOf } from './queries.ts';
import { usePreview } from './use-preview.ts';

/** Statements as a table or as JSON, or everything: which ones, how it looks, download. */
export function ExportScreen() {
  const { pages, export: texts } = useTexts();
  const [search] = useSearchParams();
  const filters = filtersOf(search);
  const [columns, setColumns] = useState(defaultPaths);
  const [kind, setKind] = useState<FileKind>('csv');
  const [isCompressed, setCompressed] = useState(true);
  const [hasMaps, setMaps] = useState(false);
  const languages = useLanguages();
  const preview = usePreview(filters, { columns, hasMaps, isOff: kind !== 'csv' });
  return (
    <Page title={pages.export}>
      <Text size="sm" maw={800}>
        {texts.intro}
      </Text>
      <FileChoice
        {...{ kind, isCompressed, hasMaps }}
        onKind={setKind}
        onCompressed={setCompressed}
        onMaps={setMaps}
      />
      <ExpectedSize kind={kind} filters={filters} rowBytes={csvRowBytes(preview.answer.data)} />
      <Download
        label={texts.downloads[kind]}
        isOff={kind === 'csv' && columns.length === 0}
        file={() => fileOf(filters, { kind, isCompressed, columns, hasMaps, languages }, new Date())}
      />
      {kind !== 'everything' && <ExportFilter filters={filters} error={preview.answer.error} />}
      {kind === 'csv' && <Columns filters={filters} columns={columns} onChange={setColumns} />}
      {kind === 'csv' && <Preview preview={preview} columns={columns} hasMaps={hasMaps} />}
      {(kind === 'ndjson' || kind === 'json') && <JsonPreview filters={filters} />}
    </Page>
  );
}

interface ColumnsProps {
  readonly filters: Filters;
  readonly columns: readonly PropertyPath[];
  readonly onChange: (columns: readonly PropertyPath[]) => void;
}

function Columns({ filters, columns, onChange }: ColumnsProps) {
  return (
    <Stack gap="sm">
      <ColumnSets columns={columns} onChoose={onChange} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <ChosenColumns columns={columns} onChange={onChange} />
        <OtherColumns filters={filters} columns={columns} onAdd={(path) => onChange([...columns, path])} />
      </SimpleGrid>
    </Stack>
  );
}
