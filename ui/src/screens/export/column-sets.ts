import { useMemo } from 'react';
import type { PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { StoredText, useStoredText } from '../../observable/stored-text.ts';

/** Columns in their order, under a name. */
export interface ColumnSet {
  readonly name: string;
  readonly columns: readonly PropertyPath[];
}

const kept = new StoredText('column-sets');

/** The sets that this browser keeps, by name. */
export function useColumnSets(): readonly ColumnSet[] {
  const text = useStoredText(kept);
  return useMemo(() => setsOf(text), [text]);
}

/** One of the same name is replaced. */
export function keepColumnSet(set: ColumnSet): void {
  keep([...others(set.name), set]);
}

export function forgetColumnSet(name: string): void {
  keep(others(name));
}

function others(name: string): ColumnSet[] {
  return setsOf(kept.get()).filter((each) => each.name !== name);
}

function keep(sets: readonly ColumnSet[]): void {
  kept.set(JSON.stringify(sets.toSorted((a, b) => a.name.localeCompare(b.name))));
}

function setsOf(text: string | undefined): readonly ColumnSet[] {
  try {
    const sets: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(sets) ? sets.filter(isSet) : [];
  } catch {
    return [];
  }
}

function isSet(value: unknown): value is ColumnSet {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'columns' in value &&
    Array.isArray(value.columns) &&
    value.columns.every(Array.isArray)
  );
}
