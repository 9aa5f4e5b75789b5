import type { CarriedContent, ContentStore } from '../../attachments/types.ts';
import { ClientTurns } from '../../client-turns.ts';
import { type Database, type ReadSession, smallContentBytes } from '../../db/types.ts';
import { NotFoundError } from '../../errors.ts';
import { toVersion1 } from '../../xapi/statement/downgrade.ts';
import { toIds } from '../../xapi/statement/format.ts';
import { hasAuthority } from '../../xapi/statement/has-authority.ts';
import type { Actor } from '../../xapi/types.ts';
import type {
  ExactPage,
  MeasuredPage,
  Position,
  Presentation,
  StatementPage,
  StatementQuery,
  StoredStatement,
} from '../types.ts';
import { canonicalTexts } from './canonical.ts';
import { changedTexts } from './changed-texts.ts';
import { exactPageOf, joinedPage } from './exact-page.ts';
import { filtersOf } from './filters.ts';
import { bytesOf, contentsOf, fitting, sizesOf, usesOf } from './page-contents.ts';
import { type PageRange, type ScanSizes, scanSizesOf } from './plan.ts';
import { type PageRow, search } from './search.ts';

const none: readonly CarriedContent[] = [];

/** The size, in bytes, from which the memory of a page is reserved before it is built. */
const largePage = 64 * 1024;
/** Pages that are read from the database at once: more only wait there, first come, first served. */
const pagesAtOnce = 16;

export interface ReaderOptions {
  /** The most bytes of the texts and contents of a page; its first statement is returned whatever its size. */
  readonly pageBytes: number;
  readonly contents: ContentStore;
  /** For tests. */
  readonly scanSizes?: ScanSizes;
}

/** Reads statements. */
export class StatementReader {
  readonly #db: Database;
  readonly #pageBytes: number;
  readonly #contents: ContentStore;
  readonly #scanSizes: ScanSizes;
  readonly #pages = new ClientTurns(pagesAtOnce);
  readonly #largePages = new ClientTurns(1);
  /** Large pages with contents that another store than the database has: the others do not wait for that store. */
  readonly #placedPages = new ClientTurns(1);

  constructor(db: Database, { pageBytes, contents, scanSizes }: ReaderOptions) {
    this.#db = db;
    this.#pageBytes = pageBytes;
    this.#contents = contents;
    this.#scanSizes = scanSizes ?? scanSizesOf(db.dialect);
  }

  /** @throws NotFoundError */
  async one(
    by: { readonly id: string; readonly voided: boolean; readonly authority?: Actor },
    presentation: Presentation,
  ): Promise<StatementPage> {
    const found = await this.#db.read((session) => selectById(session, by), { byKey: true });
    const [row] = await this.#withTexts(found);
    if (row === undefined || !hasAuthority(row.text, by.authority)) {
      throw new NotFoundError(
        `There is no statement with the id ${by.id} that is ${by.voided ? '' : 'not '}voided.`,
      );
    }
    const carried = presentation.attachments
      ? await this.#db.read((session) => this.#carriedBy(session, [row], presentation))
      : none;
    const contents = fitting(contentsOf(carried, [row.position]), this.#pageBytes - row.text.length);
    const size = { bytes: row.text.length + bytesOf(contents), contents };
    return this.#reserved(size, presentation, (alone) =>
      this.#toPage({ statements: [row], contents }, presentation, alone),
    );
  }

  async page(query: StatementQuery, presentation: Presentation): Promise<StatementPage> {
    const reading = () => this.#db.read((session) => this.#found(session, query, presentation));
    const { kept, carried, next } = await this.#pages.run(presentation.client, reading);
    const textBytes = kept.reduce((total, row) => total + row.bytes, 0);
    const chosen = fitting(contentsOf(carried, positionsOf(kept)), this.#pageBytes - textBytes);
    const size = { bytes: textBytes + bytesOf(chosen), contents: chosen };
    return this.#reserved(size, presentation, async (alone) => {
      const statements = await this.#withTexts(kept);
      return this.#toPage({ statements, contents: usesOf(carried, chosen), next }, presentation, alone);
    });
  }

  async #found(session: ReadSession, query: StatementQuery, presentation: Presentation) {
    const { rows, searchedTo } = await search(session, this.#rangeOf(query), this.#scanSizes);
    const found = rows.slice(0, query.limit);
    const carried = await this.#carriedBy(session, found, presentation);
    const kept = this.#cut(found, carried);
    return { kept, carried, next: rows.length > kept.length ? kept.at(-1)?.position : searchedTo };
  }

  async measure(query: StatementQuery): Promise<MeasuredPage> {
    const range = { ...this.#rangeOf(query), inlineBytes: 0 };
    const { rows, searchedTo } = await this.#db.read((session) => search(session, range, this.#scanSizes));
    const found = rows.slice(0, query.limit);
    const next = rows.length > found.length ? found.at(-1)?.position : searchedTo;
    const bytes = found.reduce((sum, row) => sum + row.bytes, 0);
    return { rows: found.length, bytes, ...(next !== undefined && { next }) };
  }

  /** A page in the format `exact`; its texts are never decoded where the database joins them. */
  async exactPage(
    query: StatementQuery,
    terms: Pick<Presentation, 'reserve' | 'client'> = {},
  ): Promise<ExactPage> {
    const presentation: Presentation = { format: 'exact', attachments: false, languages: [], ...terms };
    const range = this.#rangeOf(query);
    if (this.#db.dialect.joinsTexts && range.filters.length < 2) {
      const reading = () => this.#db.read((session) => joinedPage(session, range, this.#pageBytes));
      const joined = await this.#pages.run(terms.client, reading);
      if (joined !== undefined) {
        const size = { bytes: joined.texts.end, contents: none };
        return this.#reserved(size, presentation, async () => joined);
      }
    }
    return exactPageOf(await this.page(query, presentation));
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

  /** The attachment contents of a page; none unless requested. */
  async #carriedBy(
    session: ReadSession,
    rows: readonly { readonly position: Position }[],
    { attachments }: Presentation,
  ): Promise<readonly CarriedContent[]> {
    return attachments ? this.#contents.carriedBy(session, positionsOf(rows)) : none;
  }

  /** The rows that fit on a page. */
  #cut(rows: readonly PageRow[], carried: readonly CarriedContent[]): readonly PageRow[] {
    const sizes = sizesOf(contentsOf(carried, positionsOf(rows)));
    const kept: PageRow[] = [];
    let total = 0;
    for (const row of rows) {
      total += row.bytes + (sizes.get(row.position) ?? 0);
      if (kept.length > 0 && total > this.#pageBytes) break;
      kept.push(row);
    }
    return kept;
  }

  /**
   * Builds a page and reserves its memory if it is large. Large pages are built one at a time, beside one with contents from another
   * store.
   */
  #reserved<Page>(
    { bytes, contents }: PageSize,
    { reserve, client }: Presentation,
    make: (alone: Alone) => Promise<Page>,
  ): Promise<Page> {
    const alone: Alone = (work) => this.#largePages.run(client, work);
    if (bytes <= largePage) return make(alone);
    const isPlaced = contents.some(({ objectId }) => objectId !== undefined);
    return (isPlaced ? this.#placedPages : this.#largePages).run(client, () => {
      reserve?.(bytes);
      return make(isPlaced ? alone : (work) => work());
    });
  }

  /** Completes rows whose texts were not read with them, without statements that were erased meanwhile. */
  async #withTexts(rows: readonly PageRow[]): Promise<readonly StoredStatement[]> {
    if (rows.every(hasText)) return rows;
    const missing = rows.filter(({ text }) => text === null);
    const found = await this.#db.read((session) => selectTexts(session, positionsOf(missing)), {
      large: true,
    });
    const texts = new Map(found.map(({ position, text }) => [position, text]));
    return rows
      .map(({ position, text }) => ({ position, text: text ?? texts.get(position) ?? null }))
      .filter(hasText);
  }

  async #toPage(
    { statements, contents, next: following }: FoundPage,
    presentation: Presentation,
    alone: Alone,
  ): Promise<StatementPage> {
    const formatted = await this.#formatted(statements, presentation, alone);
    const texts = presentation.asVersion1
      ? await changedTexts(formatted, toVersion1, namesLaterVersion)
      : formatted;
    const next = texts.length < statements.length ? texts.at(-1)?.position : following;
    return {
      statements: texts,
      attachments:
        contents.length === 0 ? [] : await this.#contents.read(contentsOf(contents, positionsOf(texts))),
      ...(next !== undefined && { next }),
    };
  }

  /**
   * Texts in the requested format (xAPI 1.0.3 Communication 2.1.3), perhaps fewer; the exact format is the stored text,
   * never parsed.
   */
  async #formatted(
    statements: readonly StoredStatement[],
    presentation: Presentation,
    alone: Alone,
  ): Promise<readonly StoredStatement[]> {
    switch (presentation.format) {
      case 'exact':
        return statements;
      case 'ids':
        return changedTexts(statements, toIds);
      case 'canonical':
        return canonicalTexts(statements, {
          db: this.#db,
          presentation,
          mostCharacters: this.#pageBytes,
          alone,
        });
    }
  }
}

/** Whether a statement, as it is stored, may say that it is of another version than 1.0.x; what does not stays as it is. */
const namesLaterVersion = (text: string): boolean => /"version":"(?!1\.0)/.test(text);

interface PageSize {
  readonly bytes: number;
  readonly contents: readonly CarriedContent[];
}

/** Runs work that needs much memory, one piece at a time. */
type Alone = <T>(work: () => Promise<T>) => Promise<T>;

function hasText<Row extends { readonly text: string | null }>(
  row: Row,
): row is Row & { readonly text: string } {
  return row.text !== null;
}

/** The statements of a page, and their contents, repeated for each statement with it. */
interface FoundPage {
  readonly statements: readonly StoredStatement[];
  readonly contents: readonly CarriedContent[];
  readonly next?: Position | undefined;
}

/** The statement with an id, if any; the text is null if it is long. */
function selectById(
  session: ReadSession,
  { id, voided }: { readonly id: string; readonly voided: boolean },
): Promise<PageRow[]> {
  return session.select(
    `SELECT position, OCTET_LENGTH(payload) AS bytes,
       CASE WHEN OCTET_LENGTH(payload) <= :most THEN payload END AS text
     FROM statement WHERE id = :id AND voided = :voided`,
    { id: id.toLowerCase(), voided: voided ? 1 : 0, most: smallContentBytes },
  );
}

/** The complete texts at positions. */
export function selectTexts(
  session: ReadSession,
  positions: readonly Position[],
): Promise<StoredStatement[]> {
  return session.select('SELECT position, payload AS text FROM statement WHERE position IN (:positions)', {
    positions,
  });
}

function positionsOf(rows: readonly { readonly position: Position }[]): Position[] {
  return rows.map(({ position }) => position);
}
