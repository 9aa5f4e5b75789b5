import { selectByIds } from '../../db/select-by-ids.ts';
import type { ReadSession, WriteSession } from '../../db/types.ts';
import { combinationId } from '../combination.ts';
import { type Firing, selectFiringsAfter, updateMatched } from './firing-rows.ts';
import type { StoredError } from './reaction-rows.ts';
import { storedProblems, updateProblems } from './replay-problems.ts';

/** In place of a message about a statement that is erased. */
const erasedMessage = 'The statement that the reaction failed on was erased, and what was said about it.';
/** In place of a message that may quote any matched statement, and does not tell which. */
const quotingMessage =
  'What was said here was removed when statements were erased, because it may have quoted them.';

/** Errors whose messages quote values of matched statements: what a template has made, or the steps of a path that it has filled. */
const quotes: ReadonlySet<unknown> = new Set(['ReactionInvalidStatementError', 'ReactionTemplateError']);

/** Those of the ids that a stored statement has. */
export async function selectStored(
  session: ReadSession,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  return idsIn(session, 'SELECT id FROM statement WHERE id IN (:ids)', ids);
}

/**
 * Takes the ids of statements that are not stored any more out of a stretch of firings, in the order of the generated statements.
 * Ids that the LRS has given itself stay, because they tell what has come about by what: `selectStored` tells whether to show them.
 * @param stretch `after` is where the last stretch has ended; it is undefined for the first one. `rows` are looked at.
 * @returns where it has ended; undefined when there are no more.
 */
export async function forgetErased(
  session: WriteSession,
  { after, rows }: { readonly after: string | undefined; readonly rows: number },
): Promise<string | undefined> {
  if (after === undefined) {
    for (const column of ['error', 'last_failure'] as const) await forgetInErrors(session, column);
    await forgetInReplays(session);
  }
  const firings = await selectFiringsAfter(session, after, rows);
  const gone = await selectErased(session, firings.flatMap(sourcesOf));
  for (const firing of firings) {
    if (!sourcesOf(firing).some((id) => gone.has(id))) continue;
    await updateMatched(session, forgotten(firing, gone));
  }
  return firings.length < rows ? undefined : firings.at(-1)?.statementId;
}

/** The ids of statements by which a firing came about. */
function sourcesOf({ triggerId, matched }: Firing): string[] {
  return [triggerId, ...Object.values(matched)].flatMap((id) => id ?? []);
}

function forgotten(firing: Firing, gone: ReadonlySet<string>): Firing {
  const { reactionId: id, version, triggerId, matched } = firing;
  const left = (statement: string | null): string | null =>
    statement !== null && gone.has(statement) ? null : statement;
  return {
    ...firing,
    triggerId: left(triggerId),
    matched: Object.fromEntries(Object.entries(matched).map(([name, each]) => [name, left(each)])),
    combination: firing.combination ?? combinationId({ id, version }, knownOf(matched)),
  };
}

/** Before the first of them is forgotten, all are known. */
function knownOf(matched: Firing['matched']): (readonly [string, string])[] {
  return Object.entries(matched).flatMap(([name, id]) => (id === null ? [] : [[name, id] as const]));
}

/** Those of the ids that no statement has any more, and that no reaction has given. */
async function selectErased(session: ReadSession, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const stored = await selectStored(session, ids);
  const missing = ids.filter((id) => !stored.has(id));
  const sql = 'SELECT statement_id AS id FROM reaction_firing WHERE statement_id IN (:ids)';
  const made = await idsIn(session, sql, missing);
  return new Set(missing.filter((id) => !made.has(id)));
}

async function idsIn(session: ReadSession, sql: string, ids: Iterable<string>): Promise<Set<string>> {
  const rows = await selectByIds<{ id: string }>(session, sql, ids);
  return new Set(rows.map(({ id }) => id));
}

/** A replay keeps the kinds of its problems. */
async function forgetInReplays(session: WriteSession): Promise<void> {
  const rows = await session.select<{ id: string; problems: string }>(
    'SELECT reaction_id AS id, problems FROM reaction_replay WHERE problems IS NOT NULL',
  );
  for (const { id, problems } of rows) {
    const before = storedProblems(problems);
    const stored = await selectStored(
      session,
      before.flatMap(({ triggerId }) => triggerId ?? []),
    );
    const left = before.map((problem) => withoutErased(problem, stored));
    if (left.some((problem, index) => problem !== before[index])) await updateProblems(session, id, left);
  }
}

/** A reaction stays stopped when the statement is erased that has stopped it. */
async function forgetInErrors(session: WriteSession, column: 'error' | 'last_failure'): Promise<void> {
  const rows = await session.select<{ id: string; error: string }>(
    `SELECT id, ${column} AS error FROM reaction WHERE ${column} IS NOT NULL`,
  );
  const errors = rows.map(({ id, error }) => ({ id, error: JSON.parse(error) as Partial<StoredError> }));
  const triggers = errors.flatMap(({ error }) => error.triggerId ?? []);
  const stored = await selectStored(session, triggers);
  for (const { id, error } of errors) {
    const left = withoutErased(error, stored);
    if (left === error) continue;
    await session.execute(`UPDATE reaction SET ${column} = :error WHERE id = :id`, {
      id,
      error: JSON.stringify(left),
    });
  }
}

function withoutErased(error: Partial<StoredError>, stored: ReadonlySet<string>): Partial<StoredError> {
  const { triggerId, type } = error;
  if (typeof triggerId === 'string' && !stored.has(triggerId)) {
    return { ...error, triggerId: null, message: erasedMessage };
  }
  return quotes.has(type) && error.message !== quotingMessage ? { ...error, message: quotingMessage } : error;
}
