import { selectDefinitions } from '../activities/store.ts';
import { activityTable, verbTable } from '../counts/tables.ts';
import { topLength } from '../counts/top.ts';
import { selectTop } from '../counts/top-store.ts';
import type { Key } from '../db/key.ts';
import type { ReadSession } from '../db/types.ts';
import { mapInTurns } from '../in-turns.ts';
import { newestTexts } from '../statements/candidates.ts';
import { keyedTerm } from '../statements/search-keys.ts';
import type { ActivityDefinition, LanguageMap, Statement } from '../xapi/types.ts';
import type { ActivityFrequency, VerbFrequency } from './types.ts';

/** The Verbs that most statements have. */
export async function selectTopVerbs(session: ReadSession): Promise<VerbFrequency[]> {
  const frequencies: VerbFrequency[] = [];
  for (const { id, count } of await selectFirst(session, verbTable)) {
    const display = await selectDisplay(session, id);
    frequencies.push({ id, ...(display !== undefined && { display }), count });
  }
  return frequencies;
}

/** Bytes of the longest definition whose name is told. */
const longestDefinition = 65_536;

/** The Activities that are the Object of most statements. */
export async function selectTopActivities(session: ReadSession): Promise<ActivityFrequency[]> {
  const first = await selectFirst(session, activityTable);
  const definitions = await selectDefinitions(
    session,
    first.map(({ id }) => id),
    longestDefinition,
  );
  // Definitions may be long.
  return mapInTurns(first, ({ id, count }) => {
    const { name }: ActivityDefinition = JSON.parse(definitions.get(id) ?? '{}');
    return { id, ...(name !== undefined && { name }), count };
  });
}

/** Bytes of the longest id that is told. */
const longestId = 131_072;

/**
 * What counts most in the table, in falling order, and in the order of the ids where counts are equal. Long ids are passed
 * over, so that a few of them neither fill the memory nor hide the others.
 */
async function selectFirst(
  session: ReadSession,
  table: typeof verbTable | typeof activityTable,
): Promise<{ readonly id: string; readonly count: number }[]> {
  const [key, text] = Object.keys(table.columns);
  const counts = new Map((await selectTop(session, table)).ranked());
  const short = await session.select<{ bytes: Buffer }>(
    `SELECT ${key} AS bytes FROM ${table.name} WHERE ${key} IN (:keys) AND OCTET_LENGTH(${text}) <= :longestId`,
    { keys: inSql(counts.keys()), longestId },
  );
  const told = new Set(short.map(({ bytes }) => bytes.toString('hex')));
  const first = [...counts.keys()].filter((each) => told.has(each)).slice(0, topLength);
  const rows = await session.select<{ bytes: Buffer; id: string }>(
    `SELECT ${key} AS bytes, ${text} AS id FROM ${table.name} WHERE ${key} IN (:keys)`,
    { keys: inSql(first) },
  );
  return rows
    .map(({ bytes, id }) => ({ id, count: counts.get(bytes.toString('hex')) ?? 0 }))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
}

const inSql = (keys: Iterable<Key>): Buffer[] => Array.from(keys, (each) => Buffer.from(each, 'hex'));

/** How many statements are asked for a Verb's display, and how many bytes those that are may have. */
const askedStatements = 10;
const longestStatement = 20_000;

/** All languages of the newest statements; those that are found only through what they refer to may have other Verbs. */
async function selectDisplay(session: ReadSession, verb: string): Promise<LanguageMap | undefined> {
  const texts = await newestTexts(session, [keyedTerm('verb', verb)], {
    rows: askedStatements,
    longest: longestStatement,
  });
  const displays = texts.flatMap((text): LanguageMap[] => {
    const statement: Pick<Statement, 'verb'> = JSON.parse(text);
    return statement.verb.id === verb && statement.verb.display ? [statement.verb.display] : [];
  });
  const merged: LanguageMap = Object.fromEntries(displays.flatMap((display) => Object.entries(display)));
  return Object.keys(merged).length === 0 ? undefined : merged;
}
