import { join, raw, sql } from '../db/sql.ts';
import type { ReadSession } from '../db/types.ts';
import { searchTerms } from '../xapi/search-terms.ts';
import { parseStored } from '../xapi/statement/stored-statement.ts';
import type { Statement } from '../xapi/types.ts';
import { foreignMark } from './search/foreign-mark.ts';
import { bytesOf, indexParts } from './search/index-sql.ts';
import { type SearchKey, searchKey } from './search/search-key.ts';

/** A stored statement. */
export interface FoundStatement {
  readonly position: number;
  readonly voided: boolean;
  readonly statement: Statement;
  /** The same tree with marked numbers. */
  readonly source: Statement;
}

/** One part of a backward scan: the statements found, and the position to continue from; undefined at the end. */
export interface ScanPart {
  readonly statements: readonly FoundStatement[];
  readonly next: number | undefined;
}

/** Where a part of the scan begins, and how many statements it may read. */
export interface Start {
  readonly before: number;
  readonly rows: number;
}

/**
 * The most statements, and bytes of their texts, that one part of the scan reads: long statements have many index entries.
 */
export const scanRows = 100;
const stretchBytes = 256 * 1024;

/** The search keys of statements that mention the actor, or that refer to such a statement. */
export function keysOfActor(identifier: string): SearchKey[] {
  const own = [searchKey('agent', identifier), searchKey('related-agent', identifier)];
  return [...own, ...own.map(foreignMark)];
}

/** Whether the statement itself mentions the actor, in any role. */
export function mentions({ statement }: FoundStatement, identifier: string): boolean {
  return searchTerms(statement).some(
    ({ kind, value }) => (kind === 'agent' || kind === 'related-agent') && value === identifier,
  );
}

/** Statements that have one of the keys, before a position, newest first. */
export async function foundByKeys(
  session: ReadSession,
  keys: readonly SearchKey[],
  start: Start,
): Promise<ScanPart> {
  const parts = keys.flatMap((key) => indexParts(session.dialect).map((part) => part.withKey(bytesOf(key))));
  const walks = parts.map(
    (part, index) =>
      sql`SELECT * FROM (SELECT position FROM ${part} AND position < ${start.before}
         ORDER BY position DESC LIMIT ${start.rows}) ${raw(`walk${index}`)}`,
  );
  const { text, values } = sql`${join(walks, ' UNION ')} ORDER BY position DESC LIMIT ${start.rows}`;
  const rows = await session.select<{ position: number }>(text, values);
  return stretchOf(session, rows, start);
}

/** The first of the statements at these positions. */
async function stretchOf(
  session: ReadSession,
  rows: readonly { readonly position: number }[],
  start: Start,
): Promise<ScanPart> {
  const sizes = await sizesOf(
    session,
    rows.map(({ position }) => position),
  );
  const some = withinBytes(rows.map(({ position }) => ({ position, bytes: sizes.get(position) ?? 0 })));
  const positions = some.map(({ position }) => position);
  const ended = rows.length < start.rows && some.length === rows.length;
  return {
    statements: await selectStatements(session, positions),
    next: ended ? undefined : positions.at(-1),
  };
}

/** The length of each text in bytes, by position. A single text is not measured. */
async function sizesOf(
  session: ReadSession,
  positions: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (positions.length < 2) return new Map();
  const rows = await session.select<{ position: number; bytes: number }>(
    'SELECT position, OCTET_LENGTH(payload) AS bytes FROM statement WHERE position IN (:positions)',
    { positions },
  );
  return new Map(rows.map(({ position, bytes }) => [position, bytes]));
}

/** The first of these whose texts together stay below the byte limit; always at least one. */
function withinBytes<Row extends { readonly bytes: number | null }>(rows: readonly Row[]): Row[] {
  let left = stretchBytes;
  return rows.filter(({ bytes }, index) => {
    left -= bytes ?? 0;
    return index === 0 || left >= 0;
  });
}

/** Voided statements, ordered by their voiding statement, newest first; no search key finds them. */
export async function voidedBefore(session: ReadSession, start: Start): Promise<ScanPart> {
  const rows = await session.select<{ position: number; target: number | null; bytes: number | null }>(
    `SELECT r.position, s.position AS target, OCTET_LENGTH(s.payload) AS bytes
     FROM (SELECT position, target FROM statement_reference WHERE voids = 1 AND position < :before
           ORDER BY position DESC LIMIT :rows) r
     LEFT JOIN statement s ON s.id = r.target AND s.voided = 1`,
    { ...start },
  );
  const some = withinBytes(rows.sort((a, b) => b.position - a.position));
  const targets = some.flatMap(({ target }) => target ?? []);
  const ended = rows.length < start.rows && some.length === rows.length;
  return {
    statements: await selectStatements(session, targets),
    next: ended ? undefined : some.at(-1)?.position,
  };
}

/** Statements that are voided by an erased one. */
export async function abandonedBefore(session: ReadSession, start: Start): Promise<ScanPart> {
  const rows = await session.select<{ position: number }>(
    'SELECT position FROM abandoned_statement WHERE position < :before ORDER BY position DESC LIMIT :rows',
    { ...start },
  );
  return stretchOf(session, rows, start);
}

async function selectStatements(
  session: ReadSession,
  positions: readonly number[],
): Promise<FoundStatement[]> {
  if (positions.length === 0) return [];
  const rows = await session.select<{ position: number; voided: number; payload: string }>(
    'SELECT position, voided, payload FROM statement WHERE position IN (:positions)',
    { positions },
  );
  return rows.map(({ position, voided, payload }) => ({
    position,
    voided: voided === 1,
    ...parseStored(payload),
  }));
}
