import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { Filters } from '../statements/filters.ts';
import type { FileKind } from './export-file.ts';
import { sizeQuery } from './queries.ts';

interface ExpectedSizeProps {
  readonly kind: FileKind;
  readonly filters: Filters;
  /** Bytes of a row of CSV, from the preview; undefined where there is none. */
  readonly rowBytes: number | undefined;
}

/** How many rows the file is going to have, and about how large it is. */
export function ExpectedSize({ kind, filters, rowBytes }: ExpectedSizeProps) {
  const { export: texts } = useTexts();
  const { number, bytes: inBytes } = useFormats();
  const { data } = useQuery(sizeQuery(kind === 'everything' ? {} : filters));
  return (
    <Text size="sm" role="status" style={{ minHeight: '1.5em', fontVariantNumeric: 'tabular-nums' }}>
      {data !== undefined && texts.expected[data.more ? 'more' : 'all'](number(data.rows), sizeOf(data))}
      {data !== undefined && kind === 'everything' && ` ${texts.besides}`}
    </Text>
  );

  function sizeOf({ rows, bytes }: { readonly rows: number; readonly bytes: number }): string {
    return inBytes(kind === 'csv' && rowBytes !== undefined ? Math.round(rows * rowBytes) : bytes);
  }
}
