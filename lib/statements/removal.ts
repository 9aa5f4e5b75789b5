import { abandonObjects } from '../attachments/upload-store.ts';
import { recordRemoved } from '../counts/recorder.ts';
import { addToVoided } from '../counts/tally-store.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';
import { mentionsOf } from '../xapi/mentions.ts';
import type { FoundStatement } from './actor-statements.ts';
import { entriesOf } from './commit/reference-graph.ts';
import { propagateSlice } from './commit/reference-slice.ts';
import { SearchIndex } from './search/search-index.ts';
import { actorKey, keysFromBytes, keysOf, keysToBytes, type SearchKey } from './search/search-key.ts';

/** The number of rows that belong to statements, by table. */
export interface StatementRows {
  readonly statement: number;
  readonly statement_key: number;
  readonly statement_reference: number;
  readonly statement_attachment: number;
}

/** What belongs to statements and is removed with them. */
export interface Belongings {
  /** Rows by table, without the contents of attachments. */
  readonly counts: StatementRows;
  /** Index entries by position. */
  readonly entries: ReadonlyMap<number, readonly SearchKey[]>;
  /** The hashes of their attachment contents, repeated for each statement that has one. */
  readonly contents: readonly string[];
}

interface ReferenceRow {
  readonly position: number;
  readonly search_keys: Buffer;
  readonly foreign_keys: Buffer | null;
}

export async function belongingsOf(
  session: ReadSession,
  statements: readonly FoundStatement[],
): Promise<Belongings> {
  const positions = statements.map(({ position }) => position);
  const references = await selectReferences(session, positions);
  const uses = await session.select<{ sha2: string }>(
    'SELECT sha2 FROM statement_attachment WHERE position IN (:positions)',
    { positions },
  );
  const held = new Map(references.map((row) => [row.position, row]));
  const entries = new Map(
    statements
      .filter(({ voided }) => !voided)
      .map(({ position, statement }) => [position, entriesIn(statement, held.get(position))]),
  );
  return {
    counts: {
      statement: statements.length,
      statement_key: [...entries.values()].reduce((sum, { length }) => sum + length, 0),
      statement_reference: references.length,
      statement_attachment: uses.length,
    },
    entries,
    contents: uses.map(({ sha2 }) => sha2),
  };
}

/** Removes stored statements, their index entries and references, in transactions of the caller. */
export class StatementRemover {
  readonly #index = new SearchIndex();

  /**
   * Does one slice of the pending propagation of references, in a transaction of its own.
   * @param share the fraction of the most work that a slice does.
   * @returns whether slices may be left.
   */
  propagateReferences(session: WriteSession, share: number): Promise<boolean> {
    return propagateSlice(session, this.#index, share);
  }

  /**
   * Removes statements, what belongs to them, and contents that no other statement has.
   * @returns rows by table.
   */
  async remove(
    session: WriteSession,
    statements: readonly FoundStatement[],
  ): Promise<Partial<StatementRows & { readonly attachment: number }>> {
    if (statements.length === 0) return {};
    const { counts, entries, contents } = await belongingsOf(session, statements);
    await this.#index.remove(
      session,
      Array.from(entries, ([position, keys]) => ({ position, keys })),
    );
    await deleteRows(session, statements);
    const attachment = await removeUnused(session, [...new Set(contents)]);
    await addToVoided(session, -statements.filter(({ voided }) => voided).length);
    await recordRemoved(
      session,
      statements.map(({ position, source }) => ({
        position,
        mentions: mentionsOf(source, source.authority),
      })),
      actorKey,
    );
    return { ...counts, attachment };
  }

  /** Removes keys that remaining statements have only through a removed one. */
  async stripKeys(
    session: WriteSession,
    statements: readonly FoundStatement[],
    keys: readonly SearchKey[],
  ): Promise<void> {
    if (statements.length === 0) return;
    await stripReferences(session, statements, keys);
    const listed = statements.filter(({ voided }) => !voided);
    await this.#index.remove(
      session,
      listed.map(({ position }) => ({ position, keys })),
    );
  }
}

async function deleteRows(session: WriteSession, statements: readonly FoundStatement[]): Promise<void> {
  const positions = statements.map(({ position }) => position);
  await abandonVoided(session, positions);
  for (const table of ['statement_attachment', 'statement_reference', 'statement', 'abandoned_statement']) {
    await session.execute(`DELETE FROM ${table} WHERE position IN (:positions)`, { positions });
  }
}

/** Removes keys from the rows of statements that refer to others. */
async function stripReferences(
  session: WriteSession,
  statements: readonly FoundStatement[],
  keys: readonly SearchKey[],
): Promise<void> {
  const without = (bytes: Buffer): Buffer =>
    Buffer.from(keysToBytes(keysFromBytes(bytes).filter((key) => !keys.includes(key))), 'hex');
  const references = await selectReferences(
    session,
    statements.map(({ position }) => position),
  );
  for (const { position, search_keys, foreign_keys } of references) {
    const own = without(search_keys);
    const foreign = foreign_keys && without(foreign_keys);
    if (own.length === search_keys.length && foreign?.length === foreign_keys?.length) continue;
    await session.execute(
      'UPDATE statement_reference SET search_keys = :own, foreign_keys = :foreign WHERE position = :position',
      { position, own, foreign },
    );
  }
}

/** How many of these contents have no further use than the given ones. */
export async function countUnused(session: ReadSession, uses: ReadonlyMap<string, number>): Promise<number> {
  const hashes = [...uses.keys()];
  let unused = 0;
  for (let start = 0; start < hashes.length; start += sliceSize) {
    const totals = await selectUses(session, hashes.slice(start, start + sliceSize));
    for (const [sha2, total] of totals) if (total === uses.get(sha2)) unused += 1;
  }
  return unused;
}

const sliceSize = 500;

async function removeUnused(session: WriteSession, contents: readonly string[]): Promise<number> {
  if (contents.length === 0) return 0;
  const used = await selectUses(session, contents);
  const unused = contents.filter((sha2) => !used.has(sha2));
  if (unused.length === 0) return 0;
  await session.execute('DELETE FROM attachment WHERE sha2 IN (:unused)', { unused });
  await abandonObjects(session, unused, Math.floor(Date.now() / 1000));
  return unused.length;
}

async function selectUses(session: ReadSession, contents: readonly string[]): Promise<Map<string, number>> {
  const rows = await session.select<{ sha2: string; uses: number }>(
    'SELECT sha2, COUNT(*) AS uses FROM statement_attachment WHERE sha2 IN (:contents) GROUP BY sha2',
    { contents },
  );
  return new Map(rows.map(({ sha2, uses }) => [sha2, Number(uses)]));
}

/**
 * Statements that these void stay voided. Their positions are recorded, because no key and no reference leads to them
 * afterwards.
 */
async function abandonVoided(session: WriteSession, positions: readonly number[]): Promise<void> {
  const rows = await session.select<{ position: number }>(
    `SELECT DISTINCT s.position FROM statement_reference r JOIN statement s ON s.id = r.target
     WHERE r.position IN (:positions) AND r.voids = 1 AND s.voided = 1`,
    { positions },
  );
  await session.insert(
    { name: 'abandoned_statement', columns: { position: 'integer' } },
    rows.map(({ position }) => [position]),
    { skipTaken: true },
  );
}

function selectReferences(session: ReadSession, positions: readonly number[]): Promise<ReferenceRow[]> {
  return session.select<ReferenceRow>(
    'SELECT position, search_keys, foreign_keys FROM statement_reference WHERE position IN (:positions)',
    { positions },
  );
}

function entriesIn(statement: FoundStatement['statement'], row: ReferenceRow | undefined): SearchKey[] {
  const { inheritable, ownOnly } = keysOf(statement);
  if (row === undefined) return [...inheritable, ...ownOnly];
  const keysOfOthers = row.foreign_keys === null ? [] : keysFromBytes(row.foreign_keys);
  return [...entriesOf({ keys: keysFromBytes(row.search_keys), keysOfOthers }), ...ownOnly];
}
