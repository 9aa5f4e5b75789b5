import type { Filters } from './queries.ts';

export function ExportFilter({ filters }: { readonly filters: Filters }) {
  return <div hidden>{JSON.stringify(filters)}</div>;
}
