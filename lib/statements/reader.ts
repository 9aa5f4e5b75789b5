import type { Database, ReadSession } from '../db/types.ts';
import { NotFoundError } from '../errors.ts';
import { mapInTurns } from '../in-turns.ts';
import { identifiersOf } from '../xapi/agent.ts';
import type { Actor } from '../xapi/types.ts';
import { attachmentSizes, selectContents } from './attachment-reader.ts';
import { filtersOf } from './filters.ts';
import { formatText } from './format-text.ts';
import { beyond, nextStretch, type PageRange, pageQuery, probeQuery, scanQuery } from './page-query.ts';
import { parseStored } from './stored-statement.ts';
import type { Position, Presentation, StatementPage, StatementQuery, StoredStatement } from './types.ts';

interface PageRow {
  readonly position: Position;
  readonly bytes: number;
  /** Null when the text is too long to come along. */
  readonly text: string | null;
}

type Strides = readonly [number, ...number[]];

/**
 * How many entries of a leading filter a search with several filters looks at before it asks again which of them is to lead:
 * few at first, because usually they are enough. After the last stride it gives up.
 */
const defaultStrides: Strides = [4096, 8192, 32_768, 65_536];
/** The same where all of the first ones are gone through before there is a page. */
const eagerStrides: Strides = [1024, 8192, 32_768, 65_536];

export interface ReaderOptions {
  /** Bounds the texts and contents of one page, but a page that ends for this reason has a first statement. */
  readonly pageBytes: number;
  /** For tests. */
  readonly strides?: Strides;
}

/** Reads statements. */
export class StatementReader {
  readonly #db: Database;
  readonly #pageBytes: number;
  readonly #strides: Strides;

  constructor(db: Database, { pageBytes, strides }: ReaderOptions) {
    this.#db = db;
    this.#pageBytes = pageBytes;
    this.#strides = strides ?? (db.dialect.lazyWith ? defaultStrides : eagerStrides);
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
      const { rows, searchedTo } = await search(session, this.#rangeOf(query), this.#strides);
      const kept = await this.#cut(session, rows.slice(0, query.limit), presentation);
      const page = await toPage(session, await withTexts(session, kept), presentation);
      const next = rows.length > kept.length ? kept.at(-1)?.position : searchedTo;
      return next === undefined ? page : { ...page, next };
    });
  }

  #rangeOf(query: StatementQuery): PageRange {
    const { since = 0, until = Number.MAX_SAFE_INTEGER, from, ascending, limit } = query;
    return {
      filters: filtersOf(query),
      onlyOwn: query.authority !== undefined,
      after: ascending ? Math.max(since, from ?? 0) : since,
      through: ascending ? until : Math.min(until, (from ?? Number.MAX_SAFE_INTEGER) - 1),
      ascending,
      dialect: this.#db.dialect,
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

interface SearchResult {
  /** In the order of the walk. */
  readonly rows: readonly PageRow[];
  /** Where the search was given up although there may be more; absent when it came to an end. */
  readonly searchedTo?: Position;
}

/**
 * Searches a range for statements that pass its filters. With several filters it goes stretch by stretch: in the first that
 * one leads which usually is the rarest, in the others the one that is: so the work is bounded, also where many statements
 * pass each filter and hardly any passes all (docs/decisions/0011-searches-are-bounded.md).
 */
async function search(session: ReadSession, range: PageRange, strides: Strides): Promise<SearchResult> {
  if (range.filters.length < 2) return { rows: await selectRows(session, range) };
  const [firstStride, ...laterStrides] = strides;
  const { rows, reached } = await scan(session, range, firstStride);
  if (reached === null || rows.length >= range.rows) return { rows };
  let left = beyond(range, reached);
  let searchedTo = reached;
  for (const stride of laterStrides) {
    const { part, rest } = nextStretch(left, await probe(session, left, stride));
    rows.push(...(await selectRows(session, { ...part, rows: range.rows - rows.length })));
    if (rest === undefined || rows.length >= range.rows) return { rows };
    left = rest.range;
    searchedTo = rest.end;
  }
  return { rows, searchedTo };
}

/** Rows that lie no farther than the first entries of the leading filter reach, and where that is, unless it is to the end. */
async function scan(
  session: ReadSession,
  range: PageRange,
  entries: number,
): Promise<{ readonly rows: PageRow[]; readonly reached: Position | null }> {
  const { sql, replacements } = scanQuery(range, entries);
  const found = await session.select<PageRow & { readonly reached: Position | null }>(sql, replacements);
  const leading = { ...range, filters: range.filters.slice(0, 1) };
  // Where nothing is found no row tells.
  const reached = found[0] ? found[0].reached : ((await probe(session, leading, entries)).filter0 ?? null);
  const isReached = ({ position }: PageRow) =>
    reached === null || (range.ascending ? position <= reached : position >= reached);
  return { rows: inOrder(found, range).filter(isReached), reached };
}

async function selectRows(session: ReadSession, range: PageRange): Promise<PageRow[]> {
  const { sql, replacements } = pageQuery(range);
  return inOrder(await session.select<PageRow>(sql, replacements), range);
}

function inOrder(rows: PageRow[], { ascending }: PageRange): PageRow[] {
  const sign = ascending ? 1 : -1;
  return rows.sort((a, b) => sign * (a.position - b.position));
}

async function probe(
  session: ReadSession,
  range: PageRange,
  stride: number,
): Promise<Readonly<Record<string, Position | null>>> {
  const { sql, replacements } = probeQuery(range, stride);
  const [row = {}] = await session.select<Record<string, Position | null>>(sql, replacements);
  return row;
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
    statements: await mapInTurns(stored, ({ position, text }) => ({
      position,
      text: formatText(text, presentation),
    })),
    attachments: presentation.attachments ? await selectContents(session, positionsOf(stored)) : [],
  };
}

function positionsOf(rows: readonly { readonly position: Position }[]): Position[] {
  return rows.map(({ position }) => position);
}

/** Whether the statement's authority is the asked one, if one is asked for: all who belong to that have to vouch. */
function isVouchedFor(text: string, authority: Actor | undefined): boolean {
  if (authority === undefined) return true;
  const actual = parseStored(text).statement.authority;
  if (actual === undefined) return false;
  const vouching = identifiersOf(actual);
  return identifiersOf(authority).every((identifier) => vouching.includes(identifier));
}
