import { Code, Loader, ScrollArea, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { Filters } from '../statements/filters.ts';
import { jsonPreviewQuery } from './queries.ts';

/** The first ten statements, as the server exports them. */
export function JsonPreview({ filters }: { readonly filters: Filters }) {
  const { export: texts } = useTexts();
  const { data, error, isFetching, refetch } = useQuery(jsonPreviewQuery(filters));
  return (
    <Stack gap="xs" component="section" aria-label={texts.preview} aria-busy={isFetching}>
      <Title order={2} size="h4">
        {texts.preview} {isFetching && <Loader size="xs" aria-hidden />}
      </Title>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === '' && <Text size="sm">{texts.noRows}</Text>}
      {data !== undefined && data !== '' && (
        <ScrollArea.Autosize
          mah={410}
          type="auto"
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': texts.previewLines }}
        >
          <Code block>{data}</Code>
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}
