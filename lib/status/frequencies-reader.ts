import { selectDefinitions } from '../activities/store.ts';
import type { ReadSession } from '../db/types.ts';
import { mapInTurns } from '../in-turns.ts';
import { pageQuery } from '../statements/page-query.ts';
import { keyedTerm } from '../statements/search-key.ts';
import type { ActivityDefinition, LanguageMap, Statement } from '../xapi/types.ts';
import { activityTable, verbTable } from './tables.ts';
import { selectTop } from './top-store.ts';
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

/** The Activities that are the Object of most statements. */
export async function selectTopActivities(session: ReadSession): Promise<ActivityFrequency[]> {
  const first = await selectFirst(session, activityTable);
  const definitions = await selectDefinitions(
    session,
    first.map(({ id }) => id),
  );
  // Definitions may be long.
  return mapInTurns(first, ({ id, count }) => {
    const { name }: ActivityDefinition = JSON.parse(definitions.get(id) ?? '{}');
    return { id, ...(name !== undefined && { name }), count };
  });
}

/** What counts most in the table, in falling order, and in the order of the ids where counts are equal. */
async function selectFirst(
  session: ReadSession,
  table: typeof verbTable | typeof activityTable,
): Promise<{ readonly id: string; readonly count: number }[]> {
  const [key, text] = Object.keys(table.columns);
  const counts = new Map((await selectTop(session, table)).first());
  const rows = await session.select<{ bytes: Buffer; id: string }>(
    `SELECT ${key} AS bytes, ${text} AS id FROM ${table.name} WHERE ${key} IN (:keys)`,
    { keys: Array.from(counts.keys(), (each) => Buffer.from(each, 'hex')) },
  );
  return rows
    .map(({ bytes, id }) => ({ id, count: counts.get(bytes.toString('hex')) ?? 0 }))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
}

/** How many statements are asked for a Verb's display, and how many bytes those that are may have. */
const askedStatements = 10;
const longestStatement = 20_000;

/** All languages of the newest statements; those that are found only through what they refer to may have other Verbs. */
async function selectDisplay(session: ReadSession, verb: string): Promise<LanguageMap | undefined> {
  const { sql, replacements } = pageQuery({
    filters: [[keyedTerm('verb', verb)]],
    onlyOwn: false,
    after: 0,
    through: Number.MAX_SAFE_INTEGER,
    ascending: false,
    dialect: session.dialect,
    rows: askedStatements,
    inlineBytes: longestStatement,
  });
  const rows = await session.select<{ position: number; text: string | null }>(sql, replacements);
  rows.sort((a, b) => a.position - b.position);
  const displays = rows.flatMap(({ text }): LanguageMap[] => {
    if (text === null) return [];
    const statement: Pick<Statement, 'verb'> = JSON.parse(text);
    return statement.verb.id === verb && statement.verb.display ? [statement.verb.display] : [];
  });
  const merged: LanguageMap = Object.assign({}, ...displays);
  return Object.keys(merged).length === 0 ? undefined : merged;
}
