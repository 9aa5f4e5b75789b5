import { useSearchParams } from 'react-router';
import { FilterBar } from '../statements/filter-bar.tsx';
import type { Filters } from '../statements/filters.ts';
import { mistakesIn, selectsOne } from '../statements/filters.ts';
import { RowLimit } from './row-limit.tsx';

interface ExportFilterProps {
  readonly filters: Filters;
  /** Of the preview: the server says what is wrong with which parameter. */
  readonly error: Error | null;
}

/** Which statements are exported, as the address says, with the fields of the page of statements. */
export function ExportFilter({ filters, error }: ExportFilterProps) {
  const [, setSearch] = useSearchParams();
  const { limit = '', ...chosen } = filters;
  const search = (next: Filters, rows = limit) =>
    setSearch(selectsOne(next) || rows === '' ? next : { limit: rows, ...next });
  return (
    <FilterBar
      filters={chosen}
      mistakes={mistakesIn(error)}
      hasPages={false}
      onSearch={(next) => search(next)}
    >
      {!selectsOne(chosen) && (
        <RowLimit key={limit} value={limit} onChange={(rows) => search(chosen, rows)} />
      )}
    </FilterBar>
  );
}
