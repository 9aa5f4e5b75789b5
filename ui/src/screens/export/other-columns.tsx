import { Button, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { useXapi, type XapiAccess } from '../../api/xapi.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { keyOf, pathOf, pathText } from '../../xapi/property-path.ts';
import type { Filters } from '../statements/filters.ts';
import { ColumnBox } from './column-box.tsx';
import { suggestionsQuery } from './queries.ts';
import { SuggestionTable } from './suggestion-table.tsx';

interface OtherColumnsProps {
  readonly filters: Filters;
  readonly columns: readonly PropertyPath[];
  readonly onAdd: (path: PropertyPath) => void;
}

/** Columns that could be added: those that the data has, and any other by its path. */
export function OtherColumns({ filters, columns, onAdd }: OtherColumnsProps) {
  const { export: texts } = useTexts();
  const xapi = useXapi();
  const [text, setText] = useState('');
  const taken = new Set(columns.map(keyOf));
  const path = pathOf(text);
  const isNew = path !== undefined && !taken.has(keyOf(path));
  const head = (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (path === undefined || !isNew) return;
        onAdd(path);
        setText('');
      }}
    >
      <TextInput
        label={texts.search}
        description={texts.searchHint}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        rightSectionWidth={90}
        rightSection={
          <Button type="submit" size="compact-sm" disabled={!isNew}>
            {texts.add}
          </Button>
        }
      />
    </form>
  );
  const wanted = text.trim().toLowerCase();
  const isWanted = (each: PropertyPath) =>
    !taken.has(keyOf(each)) && pathText(each).toLowerCase().includes(wanted);
  return (
    <ColumnBox title={texts.suggestions} head={head}>
      {xapi === undefined ? (
        <Text size="sm">{texts.suggestionsNeedKey}</Text>
      ) : (
        <Suggestions xapi={xapi} filters={filters} isWanted={isWanted} onAdd={onAdd} />
      )}
    </ColumnBox>
  );
}

interface SuggestionsProps {
  readonly xapi: XapiAccess;
  readonly filters: Filters;
  readonly isWanted: (path: PropertyPath) => boolean;
  readonly onAdd: (path: PropertyPath) => void;
}

const mostShown = 200;

function Suggestions({ xapi, filters, isWanted, onAdd }: SuggestionsProps) {
  const { export: texts } = useTexts();
  const { data, error, isPending, refetch } = useQuery(suggestionsQuery(xapi, filters));
  if (isPending) return <Loader size="sm" />;
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const wanted = data.filter(({ path }) => isWanted(path));
  if (wanted.length === 0) return <Text size="sm">{texts.noSuggestions}</Text>;
  return (
    <Stack gap="xs">
      <SuggestionTable suggestions={wanted.slice(0, mostShown)} onAdd={onAdd} />
      {wanted.length > mostShown && <Text size="sm">{texts.moreSuggestions(wanted.length - mostShown)}</Text>}
    </Stack>
  );
}
