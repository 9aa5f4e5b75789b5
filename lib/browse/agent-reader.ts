import { sql } from '../db/sql.ts';
import type { ReadSession } from '../db/types.ts';
import { searchKey } from '../statements/search-keys.ts';
import { keyAfter, type ListedRow, pageOf } from './page.ts';
import { identifierIn, searchIn } from './search.ts';
import type { CountedListQuery, KnownAgent, ListPage, ListQuery } from './types.ts';

/** How many names an agent is listed with, and how many characters of each: all of them are in its Person. */
const mostNames = 10;
const longestName = 100;

/** A page of the Agents and identified Groups that statements and documents name, in the order of their keys. */
export async function readAgents(
  session: ReadSession,
  query: CountedListQuery,
): Promise<ListPage<KnownAgent>> {
  const rows = query.isCounted ? await selectActors(session, query) : await selectAgents(session, query);
  const { entries, next } = pageOf(rows, query.limit);
  const names = await selectNames(session, entries);
  const counts = await selectCounts(session, entries);
  const agents = entries.map(({ id, identifier }) => ({
    identifier,
    names: names.get(id.toString('hex')) ?? [],
    statements: counts.get(searchKey('agent', identifier)),
  }));
  return { entries: agents, next };
}

interface AgentRow extends ListedRow {
  readonly identifier: string;
}

function selectAgents(session: ReadSession, { limit, search, after }: ListQuery): Promise<AgentRow[]> {
  const { dialect } = session;
  const identified = searchIn(dialect, [identifierIn(sql`identifier`)], search);
  const named = searchIn(dialect, [{ text: sql`name` }], search);
  const found =
    search === undefined
      ? identified
      : sql`(${identified} OR agent_key IN (SELECT agent_key FROM agent_name WHERE ${named}))`;
  const { text, values } = sql`SELECT agent_key AS id, identifier, LENGTH(identifier) AS size
    FROM agent WHERE agent_key > ${keyAfter(after)} AND ${found} ORDER BY agent_key LIMIT ${limit + 1}`;
  return session.select<AgentRow>(text, values);
}

/** Only those that are Actors of statements: no key leads from one table to the other. */
async function selectActors(session: ReadSession, query: ListQuery): Promise<AgentRow[]> {
  const actors: AgentRow[] = [];
  for (let after = query.after; ; ) {
    const rows = await selectAgents(session, { ...query, after });
    const counts = await selectCounts(session, rows);
    actors.push(...rows.filter(({ identifier }) => counts.has(searchKey('agent', identifier))));
    if (actors.length > query.limit) return actors.slice(0, query.limit + 1);
    if (rows.length <= query.limit) return actors;
    after = rows.at(-1)?.id.toString('hex');
  }
}

/** The newest names of each agent, by its key. */
async function selectNames(
  session: ReadSession,
  agents: readonly AgentRow[],
): Promise<Map<string, string[]>> {
  const rows = await session.select<{ id: Buffer; name: string }>(
    `SELECT agent_key AS id, name FROM (
       SELECT agent_key, SUBSTR(name, 1, ${longestName}) AS name, first_seen,
         ROW_NUMBER() OVER (PARTITION BY agent_key ORDER BY first_seen DESC, name_key) AS place
       FROM agent_name WHERE agent_key IN (:keys)
     ) n WHERE place <= ${mostNames} ORDER BY place`,
    { keys: agents.map(({ id }) => id) },
  );
  const names = new Map<string, string[]>();
  for (const { id, name } of rows) {
    const key = id.toString('hex');
    names.set(key, [...(names.get(key) ?? []), name]);
  }
  return names;
}

/** How many statements have each agent as their Actor, by the search key that they are found by. */
async function selectCounts(session: ReadSession, agents: readonly AgentRow[]): Promise<Map<string, number>> {
  const rows = await session.select<{ id: Buffer; statements: number }>(
    'SELECT actor_key AS id, statements FROM statement_actor WHERE actor_key IN (:keys)',
    { keys: agents.map(({ identifier }) => Buffer.from(searchKey('agent', identifier), 'hex')) },
  );
  return new Map(rows.map(({ id, statements }) => [id.toString('hex'), statements]));
}
