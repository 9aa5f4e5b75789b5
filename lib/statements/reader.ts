import { Gate } from '../db/gate.ts';
import { type Database, type ReadSession, smallContentBytes } from '../db/types.ts';
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

/** Bytes above which the memory of a page is counted before it is made. */
const largePage = 64 * 1024;

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
  readonly #largePages = new Gate();

  constructor(db: Database, { pageBytes, strides }: ReaderOptions) {
    this.#db = db;
    this.#pageBytes = pageBytes;
    this.#strides = strides ?? (db.dialect.lazyWith ? defaultStrides : eagerStrides);
  }

  /** @throws NotFoundError */
  async one(
    by: { readonly id: string; readonly voided: boolean; readonly authority?: Actor },
    presentation: Presentation,
  ): Promise<StatementPage> {
    const found = await this.#db.read(async (session) => {
      const [row] = await session.select<StoredStatement>(
        'SELECT position, payload AS text FROM statement WHERE id = :id AND voided = :voided',
        { id: by.id.toLowerCase(), voided: by.voided ? 1 : 0 },
      );
      if (row === undefined || !isVouchedFor(row.text, by.authority)) {
        throw new NotFoundError(
          `There is no statement with the id ${by.id} that is ${by.voided ? '' : 'not '}voided.`,
        );
      }
      const sizes = await contentSizes(session, [row], presentation);
      return { statements: [row], contentBytes: sizes.get(row.position) ?? 0 };
    });
    const bytes = found.statements.reduce((total, { text }) => total + text.length, found.contentBytes);
    return this.#reserved(bytes, presentation, () => this.#toPage(found, presentation));
  }

  async page(query: StatementQuery, presentation: Presentation): Promise<StatementPage> {
    const found = await this.#db.read(async (session) => {
      const { rows, searchedTo } = await search(session, this.#rangeOf(query), this.#strides);
      const { kept, contentBytes } = await this.#cut(session, rows.slice(0, query.limit), presentation);
      const next = rows.length > kept.length ? kept.at(-1)?.position : searchedTo;
      return { kept, contentBytes, next };
    });
    const bytes = found.kept.reduce((total, row) => total + row.bytes, found.contentBytes);
    return this.#reserved(bytes, presentation, async () => {
      const statements = await this.#withTexts(found.kept);
      return this.#toPage({ ...found, statements }, presentation);
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
  async #cut(session: ReadSession, rows: readonly PageRow[], presentation: Presentation): Promise<PageCut> {
    const sizes = await contentSizes(session, rows, presentation);
    const kept: PageRow[] = [];
    let contentBytes = 0;
    let total = 0;
    for (const row of rows) {
      const size = sizes.get(row.position) ?? 0;
      total += row.bytes + size;
      if (kept.length > 0 && total > this.#pageBytes) break;
      kept.push(row);
      contentBytes += size;
    }
    return { kept, contentBytes };
  }

  /** Makes a page whose memory is counted if it is large; then it is the only large one that is being made. */
  #reserved(
    bytes: number,
    { reserve }: Presentation,
    make: () => Promise<StatementPage>,
  ): Promise<StatementPage> {
    if (bytes <= largePage) return make();
    return this.#largePages.exclusive(() => {
      reserve?.(bytes);
      return make();
    });
  }

  /** The rows with the texts that did not come along. */
  async #withTexts(rows: readonly PageRow[]): Promise<StoredStatement[]> {
    const missing = rows.filter(({ text }) => text === null);
    const texts = new Map<Position, string>();
    if (missing.length > 0) {
      const found = await this.#db.read((session) => selectTexts(session, positionsOf(missing)), {
        large: true,
      });
      for (const { position, text } of found) texts.set(position, text);
    }
    // One that has been erased meanwhile is not there any more.
    return rows.flatMap(({ position, text }) => {
      const known = text ?? texts.get(position);
      return known === undefined ? [] : { position, text: known };
    });
  }

  async #toPage(
    { statements, contentBytes, next }: FoundPage,
    presentation: Presentation,
  ): Promise<StatementPage> {
    const texts = await mapInTurns(statements, ({ position, text }) => ({
      position,
      text: formatText(text, presentation),
    }));
    const attachments =
      contentBytes === 0
        ? []
        : await this.#db.read((session) => selectContents(session, positionsOf(statements)), {
            large: contentBytes > smallContentBytes,
          });
    return { statements: texts, attachments, ...(next !== undefined && { next }) };
  }
}

/** The statements of a page, and how many bytes the contents have that belong to it. */
interface FoundPage {
  readonly statements: readonly StoredStatement[];
  readonly contentBytes: number;
  readonly next?: Position | undefined;
}

interface PageCut {
  readonly kept: readonly PageRow[];
  readonly contentBytes: number;
}

/** How many bytes of contents each of the statements adds to a page; none where they were not asked for. */
async function contentSizes(
  session: ReadSession,
  rows: readonly { readonly position: Position }[],
  { attachments }: Presentation,
): Promise<Map<Position, number>> {
  return attachments ? attachmentSizes(session, positionsOf(rows)) : new Map();
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

function selectTexts(session: ReadSession, positions: readonly Position[]): Promise<StoredStatement[]> {
  return session.select('SELECT position, payload AS text FROM statement WHERE position IN (:positions)', {
    positions,
  });
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
