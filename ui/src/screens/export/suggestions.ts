import type { PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { keyOf, pathText } from '../../xapi/property-path.ts';

/** A column that there is something for in the data. */
export interface Suggestion {
  readonly path: PropertyPath;
  /** Of the statements that were looked at, those that have it; from 0 to 1. */
  readonly share: number;
  /** The value in the newest of them; objects and arrays as JSON, long ones cut. */
  readonly example: string;
  /** Different plain values of them, the newest first. */
  readonly values: readonly PlainValue[];
}

export type PlainValue = string | number | boolean;

interface Found {
  readonly path: PropertyPath;
  readonly example: string;
  readonly values: Set<PlainValue>;
  readonly isPlain: boolean;
  count: number;
}

/** Elements of arrays that get columns. */
const mostElements = 3;
const longestExample = 80;
const mostValues = 20;

/** Every path that the statements have, those that most of them have first, and plain values before objects. */
export function suggestionsOf(statements: readonly unknown[]): Suggestion[] {
  const found = new Map<string, Found>();
  for (const statement of statements) visit(statement, [], found);
  return Array.from(found.values())
    .sort(
      (a, b) =>
        b.count - a.count ||
        Number(b.isPlain) - Number(a.isPlain) ||
        (pathText(a.path) < pathText(b.path) ? -1 : 1),
    )
    .map(({ path, example, values, count }) => ({
      path,
      example,
      values: [...values],
      share: count / statements.length,
    }));
}

function visit(value: unknown, path: PropertyPath, found: Map<string, Found>): void {
  if (path.length > 0) note(value, path, found);
  if (typeof value !== 'object' || value === null) return;
  const children = Array.isArray(value)
    ? value.slice(0, mostElements).map((child, at) => [at, child] as const)
    : Object.entries(value);
  for (const [step, child] of children) visit(child, [...path, step], found);
}

function note(value: unknown, path: PropertyPath, found: Map<string, Found>): void {
  const key = keyOf(path);
  const earlier = found.get(key);
  if (earlier !== undefined) {
    earlier.count += 1;
    if (isPlain(value) && earlier.values.size < mostValues) earlier.values.add(value);
    return;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const example = text.length > longestExample ? `${text.slice(0, longestExample)}…` : text;
  const values = new Set(isPlain(value) ? [value] : []);
  found.set(key, { path, example, values, isPlain: typeof value !== 'object', count: 1 });
}

function isPlain(value: unknown): value is PlainValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
