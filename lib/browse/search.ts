import type { Dialect } from '../db/dialects/dialect.ts';
import { patternOf } from '../db/like-pattern.ts';
import { join, type Sql, sql } from '../db/sql.ts';

/** A text in SQL, and how what is looked for is written in it, if not as it is. */
export interface SearchedText {
  readonly text: Sql;
  readonly written?: (search: string) => string;
}

/** An identifier as people know it: an account's home page has more in it behind each `@` (`identifierOf`). */
export const identifierIn = (column: Sql): SearchedText => ({ text: sql`REPLACE(${column}, '@>', '@')` });

/** JSON text. */
export const jsonIn = (column: Sql): SearchedText => ({
  text: column,
  written: (search) => JSON.stringify(search).slice(1, -1),
});

/** The condition that one of the texts holds what is looked for, if anything is. */
export function searchIn(dialect: Dialect, texts: readonly SearchedText[], search: string | undefined): Sql {
  if (search === undefined) return sql`1 = 1`;
  const found = texts.map(({ text, written }) =>
    dialect.like(text, sql`${patternOf(written === undefined ? search : written(search))}`),
  );
  return sql`(${join(found, ' OR ')})`;
}
