import type { CarriedContent, ContentStore } from '../attachments/types.ts';
import { type Database, type ReadSession, smallContentBytes } from '../db/types.ts';
import type { DocumentKind } from '../documents/types.ts';
import type { Position } from '../statements/types.ts';

/** What one read takes at most; a single statement or document may have more. */
const most = { rows: 500, bytes: 4_194_304 };

export interface ExportedStatement {
  readonly position: Position;
  readonly text: string;
  readonly voided: boolean;
  readonly contents: readonly CarriedContent[];
}

/** All statements up to a position, voided ones too, in their order. */
export async function* readStatements(
  db: Database,
  { contents, through }: { readonly contents: ContentStore; readonly through: Position },
): AsyncGenerator<ExportedStatement> {
  for (let after = 0; ; ) {
    const sizes = await db.read((session) =>
      session.select<{ position: Position; bytes: number }>(
        `SELECT position, OCTET_LENGTH(payload) AS bytes FROM statement
         WHERE position > :after AND position <= :through ORDER BY position LIMIT :rows`,
        { after, through, rows: most.rows },
      ),
    );
    const positions = fitting(sizes).map(({ position }) => position);
    if (positions.length === 0) return;
    const { rows, carried, later } = await db.read(
      async (session) => ({
        rows: await session.select<{ position: Position; payload: string; voided: number }>(
          'SELECT position, payload, voided FROM statement WHERE position IN (:positions) ORDER BY position',
          { positions },
        ),
        carried: await contents.carriedBy(session, positions),
        later: await voidedLater(session, positions, through),
      }),
      { large: true },
    );
    for (const { position, payload, voided } of rows) {
      const own = carried.filter((content) => content.position === position);
      yield { position, text: payload, voided: voided === 1 && !later.has(position), contents: own };
    }
    after = positions.at(-1) ?? after;
  }
}

/** Those of the statements that are voided by statements behind `through` only, which are not exported. */
async function voidedLater(
  session: ReadSession,
  positions: readonly Position[],
  through: Position,
): Promise<ReadonlySet<Position>> {
  const rows = await session.select<{ position: Position }>(
    `SELECT s.position FROM statement s JOIN statement_reference r ON r.target = s.id AND r.voids = 1
     WHERE s.position IN (:positions) AND s.voided = 1
     GROUP BY s.position HAVING MIN(r.position) > :through`,
    { positions, through },
  );
  return new Set(rows.map(({ position }) => position));
}

export interface ExportedDocument {
  readonly kind: DocumentKind;
  readonly activity: string | null;
  readonly agent: string | null;
  readonly registration: string | null;
  readonly id: string;
  readonly content_type: string;
  readonly updated: number;
  readonly content: Buffer;
}

/** All documents, in an order that depends on nothing but their addresses. */
export async function* readDocuments(db: Database): AsyncGenerator<ExportedDocument> {
  for (let after: Buffer = Buffer.alloc(0); ; ) {
    const sizes = await db.read((session) =>
      session.select<{ document_key: Buffer; bytes: number }>(
        `SELECT document_key, LENGTH(content) AS bytes FROM document
         WHERE document_key > :after ORDER BY document_key LIMIT :rows`,
        { after: after.length === 0 ? lowestKey : after, rows: most.rows },
      ),
    );
    const some = fitting(sizes);
    const keys = some.map(({ document_key }) => document_key);
    if (keys.length === 0) return;
    const bytes = some.reduce((sum, row) => sum + Number(row.bytes), 0);
    yield* await db.read(
      (session) =>
        session.select<ExportedDocument>(
          `SELECT kind, activity, agent, registration, id, content_type, updated, content
           FROM document WHERE document_key IN (:keys) ORDER BY document_key`,
          { keys },
        ),
      { large: bytes > smallContentBytes },
    );
    after = keys.at(-1) ?? after;
  }
}

/** No document has it: it is a hash. */
const lowestKey = Buffer.alloc(16);

/** The first rows that have no more bytes together than one read takes, and one in any case. */
function fitting<Row extends { readonly bytes: number }>(rows: readonly Row[]): Row[] {
  let left = most.bytes;
  return rows.filter(({ bytes }, index) => {
    left -= Number(bytes);
    return index === 0 || left >= 0;
  });
}

/** The newest position of a statement; 0 while there is none. */
export async function newestPosition(db: Database): Promise<Position> {
  const [row] = await db.read((session) =>
    session.select<{ newest: Position | null }>('SELECT MAX(position) AS newest FROM statement'),
  );
  return Number(row?.newest ?? 0);
}

/** How many statements there are. */
export async function countStatements(db: Database): Promise<number> {
  const [row] = await db.read(
    (session) => session.select<{ statements: number }>('SELECT COUNT(*) AS statements FROM statement'),
    { maintenance: true },
  );
  return Number(row?.statements ?? 0);
}

/** Statements by their ids in lower case. */
export function selectByIds(
  db: Database,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly text: string; readonly voided: number }[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.read(
    (session) =>
      session.select('SELECT id, payload AS text, voided FROM statement WHERE id IN (:ids)', { ids }),
    { large: true },
  );
}
