import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { useLanguages } from '../../texts/use-names.ts';
import { keyOf } from '../../xapi/property-path.ts';
import type { Filters } from '../statements/filters.ts';
import { previewQuery } from './queries.ts';

export interface PreviewState {
  /** The columns of the answer, those with all languages left out, which follow. */
  readonly fetched: readonly PropertyPath[];
  /** Rows of cells, the header first. */
  readonly answer: UseQueryResult<string[][]>;
}

interface PreviewTable {
  readonly columns: readonly PropertyPath[];
  readonly hasMaps: boolean;
  /** Whether nobody looks at it. */
  readonly isOff: boolean;
}

/** The first rows of the export. */
export function usePreview(filters: Filters, { columns, hasMaps, isOff }: PreviewTable): PreviewState {
  const fetched = useColumnsSoFar(columns);
  const languages = useLanguages();
  const table = { columns: fetched, hasMaps, languages };
  const answer = useQuery({ ...previewQuery(filters, table), enabled: fetched.length > 0 && !isOff });
  return { fetched, answer };
}

/** All that were chosen since the page was opened: those that are only moved or removed need no new request. */
function useColumnsSoFar(columns: readonly PropertyPath[]): readonly PropertyPath[] {
  const [all, setAll] = useState(columns);
  const known = new Set(all.map(keyOf));
  const fresh = columns.filter((path) => !known.has(keyOf(path)));
  if (fresh.length > 0) setAll([...all, ...fresh]);
  return all;
}
