import type { Database, ReadSession } from '../db/types.ts';
import { NotFoundError } from '../errors.ts';
import { identifierOf } from '../xapi/agent.ts';
import type { Actor } from '../xapi/types.ts';
import { attachmentSizes, selectContents } from './attachment-reader.ts';
import { filtersOf } from './filters.ts';
import { formatText } from './format-text.ts';
import { type PageRange, pageQuery, probeQuery, rarestFirst } from './page-query.ts';
import { parseStored } from './stored-statement.ts';
import type { Position, Presentation, StatementPage, StatementQuery, StoredStatement } from './types.ts';

interface PageRow {
  readonly position: Position;
  readonly bytes: number;
  /** Null when the text is too long to come along. */
  readonly text: string | null;
}

/** Reads statements; `pageBytes` bounds the texts and contents of one page, but a page always has a first statement. */
export class StatementReader {
  readonly #db: Database;
  readonly #pageBytes: number;

  constructor(db: Database, pageBytes: number) {
    this.#db = db;
    this.#pageBytes = pageBytes;
  }

  /** @throws NotFoundError */
  one(
    by: { readonly id: string; readonly voided: boolean; readonly authority?: Actor },
    presentation: Presentation,
  ): Promise<StatementPage> {
    return this.#db.read(async (session) => {
      const [row] = await session.select<StoredStatement>(
        'SELECT position, payload AS text FROM statement WHERE id = :id AND voided = :voided',
        { id: by.id.toLowerCase(), voided: by.voided ? 1 : 0 },
      );
      if (row === undefined || !isVouchedFor(row.text, by.authority)) {
        throw new NotFoundError(
          `There is no statement with the id ${by.id} that is ${by.voided ? '' : 'not '}voided.`,
        );
      }
      return toPage(session, [row], presentation);
    });
  }

  page(query: StatementQuery, presentation: Presentation): Promise<StatementPage> {
    return this.#db.read(async (session) => {
      const rows = await selectRows(session, this.#rangeOf(query));
      const kept = await this.#cut(session, rows.slice(0, query.limit), presentation);
      const page = await toPage(session, await withTexts(session, kept), presentation);
      const last = kept.at(-1);
      return last && rows.length > kept.length ? { ...page, next: last.position } : page;
    });
  }

  #rangeOf(query: StatementQuery): PageRange {
    const { since = 0, until = Number.MAX_SAFE_INTEGER, from, ascending, limit } = query;
    return {
      filters: filtersOf(query),
      after: ascending ? Math.max(since, from ?? 0) : since,
      through: ascending ? until : Math.min(until, (from ?? Number.MAX_SAFE_INTEGER) - 1),
      ascending,
      recentEntries: this.#db.dialect.collectsIndexEntries,
      rows: limit + 1,
      inlineBytes: Math.ceil(this.#pageBytes / limit),
    };
  }

  /** As many of the rows as fit on a page. */
  async #cut(
    session: ReadSession,
    rows: readonly PageRow[],
    { attachments }: Presentation,
  ): Promise<PageRow[]> {
    const sizes = attachments
      ? await attachmentSizes(session, positionsOf(rows))
      : new Map<Position, number>();
    let total = 0;
    const end = rows.findIndex(({ position, bytes }, index) => {
      total += bytes + (sizes.get(position) ?? 0);
      return index > 0 && total > this.#pageBytes;
    });
    return end === -1 ? [...rows] : rows.slice(0, end);
  }
}

/** The rows in the order of the walk. Of several filters the one that is rarest where the page lies leads. */
async function selectRows(session: ReadSession, range: PageRange): Promise<PageRow[]> {
  const ordered = range.filters.length > 1 ? { ...range, filters: await byRarity(session, range) } : range;
  const { sql, replacements } = pageQuery(ordered);
  const rows = await session.select<PageRow>(sql, replacements);
  const sign = range.ascending ? 1 : -1;
  return rows.sort((a, b) => sign * (a.position - b.position));
}

async function byRarity(session: ReadSession, range: PageRange): Promise<PageRange['filters']> {
  const { sql, replacements } = probeQuery(range);
  const [probe = {}] = await session.select<Record<string, Position | null>>(sql, replacements);
  return rarestFirst(range, probe);
}

/** The rows with the texts that did not come along. */
async function withTexts(session: ReadSession, rows: readonly PageRow[]): Promise<StoredStatement[]> {
  const missing = rows.filter(({ text }) => text === null);
  const texts = new Map<Position, string>();
  if (missing.length > 0) {
    const found = await session.select<StoredStatement>(
      'SELECT position, payload AS text FROM statement WHERE position IN (:positions)',
      { positions: positionsOf(missing) },
    );
    for (const { position, text } of found) texts.set(position, text);
  }
  return rows.map(({ position, text }) => ({ position, text: text ?? texts.get(position) ?? '' }));
}

async function toPage(
  session: ReadSession,
  stored: readonly StoredStatement[],
  presentation: Presentation,
): Promise<StatementPage> {
  return {
    statements: stored.map(({ position, text }) => ({ position, text: formatText(text, presentation) })),
    attachments: presentation.attachments ? await selectContents(session, positionsOf(stored)) : [],
  };
}

function positionsOf(rows: readonly { readonly position: Position }[]): Position[] {
  return rows.map(({ position }) => position);
}

/** Whether the statement's authority is the asked one, if one is asked for. */
function isVouchedFor(text: string, authority: Actor | undefined): boolean {
  if (authority === undefined) return true;
  const actual = parseStored(text).statement.authority;
  return actual !== undefined && identifierOf(actual) === identifierOf(authority);
}
