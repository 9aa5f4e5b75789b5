import type { Dialect } from '../db/dialects/dialect.ts';
import { patternOf } from '../db/like-pattern.ts';

/** A text in SQL, and how what is looked for is written in it, if not as it is. */
export interface SearchedText {
  readonly sql: string;
  readonly written?: (search: string) => string;
}

/** An identifier as people know it: an account's home page has more in it behind each `@` (`identifierOf`). */
export const identifierIn = (column: string): SearchedText => ({ sql: `REPLACE(${column}, '@>', '@')` });

/** JSON text. */
export const jsonIn = (column: string): SearchedText => ({
  sql: column,
  written: (search) => JSON.stringify(search).slice(1, -1),
});

/** The condition that one of the texts holds what is looked for, if anything is, and the values in it. */
export function searchIn(dialect: Dialect, texts: readonly SearchedText[], search: string | undefined) {
  if (search === undefined) return { found: '1 = 1', values: {} };
  const places = texts.map(({ sql }, index) => dialect.like(sql, `:search${index}`));
  const values = texts.map(({ written }, index): [string, string] => [
    `search${index}`,
    patternOf(written === undefined ? search : written(search)),
  ]);
  return { found: `(${places.join(' OR ')})`, values: Object.fromEntries(values) };
}
