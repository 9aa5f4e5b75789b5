import { type ErasedTable, erasedTables, type RowCounts } from './types.ts';

export const noRows: RowCounts = Object.freeze(
  Object.fromEntries(erasedTables.map((table) => [table, 0])) as Record<ErasedTable, number>,
);

export function sumOf(one: RowCounts, other: Partial<RowCounts>): RowCounts {
  const sum = { ...one };
  for (const table of erasedTables) sum[table] += other[table] ?? 0;
  return sum;
}
