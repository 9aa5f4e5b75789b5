import { type Database, type ReadSession, smallContentBytes } from '../db/types.ts';
import { NotFoundError } from '../errors.ts';
import { Pauses } from '../in-turns.ts';
import type { Position } from '../position.ts';
import { hasAuthority } from '../xapi/statement/has-authority.ts';
import type { Actor } from '../xapi/types.ts';
import type { FindOptions } from './types.ts';

/** Where a content lies. */
type Found =
  | { readonly objectId: string; readonly contentType: string }
  | { readonly content: Buffer; readonly contentType: string };

interface UseRow {
  readonly position: Position;
  readonly content_type: string;
}

/** For credentials that may read their own statements only, the newest statements with a content are looked at: so many, */
const mostUses = 1000;
/** and no more bytes of them. */
const mostBytes = 8 * 1_048_576;

/** As `AttachmentService.find` has it. */
export async function findContent(
  db: Database,
  sha2: string,
  { authority, reserve }: FindOptions,
): Promise<Found> {
  const use = await (authority === undefined ? findUse(db, sha2) : findOwnUse(db, sha2, authority));
  if (use === undefined) throw absent(sha2);
  const { content_type: contentType } = use;
  const here = await db.read(async (session) => {
    const [row] = await session.select<{ length: number }>(
      'SELECT length FROM attachment WHERE sha2 = :sha2',
      { sha2 },
    );
    return row;
  });
  if (here !== undefined) {
    reserve?.(Number(here.length));
    return {
      content: await db.read((session) => selectContent(session, sha2), { large: true }),
      contentType,
    };
  }
  const [object] = await db.read((session) =>
    session.select<{ object_id: string }>('SELECT object_id FROM attachment_object WHERE sha2 = :sha2', {
      sha2,
    }),
  );
  if (object === undefined) throw absent(sha2);
  return { objectId: object.object_id, contentType };
}

async function selectContent(session: ReadSession, sha2: string): Promise<Buffer> {
  const [row] = await session.select<{ content: Buffer }>(
    'SELECT content FROM attachment WHERE sha2 = :sha2',
    { sha2 },
  );
  if (row === undefined) throw absent(sha2);
  return row.content;
}

async function findUse(db: Database, sha2: string): Promise<UseRow | undefined> {
  const [use] = await db.read((session) =>
    session.select<UseRow>(
      'SELECT position, content_type FROM statement_attachment WHERE sha2 = :sha2 ORDER BY position LIMIT 1',
      { sha2 },
    ),
  );
  return use;
}

/** The newest use of the content by a statement of this authority. */
async function findOwnUse(db: Database, sha2: string, authority: Actor): Promise<UseRow | undefined> {
  const uses = await db.read((session) =>
    session.select<UseRow & { readonly bytes: number }>(
      `SELECT u.position, u.content_type, OCTET_LENGTH(s.payload) AS bytes
       FROM statement_attachment u JOIN statement s ON s.position = u.position
       WHERE u.sha2 = :sha2 ORDER BY u.position DESC LIMIT ${mostUses}`,
      { sha2 },
    ),
  );
  const pauses = new Pauses();
  for (const { rows, bytes } of slicesOf(uses)) {
    const texts = await db.read((session) => selectTexts(session, rows), {
      large: bytes > smallContentBytes,
    });
    for (const use of rows) {
      const text = texts.get(Number(use.position));
      if (text !== undefined && hasAuthority(text, authority)) return use;
      await pauses.pause();
    }
  }
  return undefined;
}

/** Rows whose statements are small together, or one that is not; as far as they have no more than `mostBytes`. */
function* slicesOf<Row extends { readonly bytes: number }>(
  uses: readonly Row[],
): Generator<{ readonly rows: readonly Row[]; readonly bytes: number }> {
  let rows: Row[] = [];
  let bytes = 0;
  let all = 0;
  for (const use of uses) {
    const size = Number(use.bytes);
    all += size;
    if (all > mostBytes) break;
    if (rows.length > 0 && bytes + size > smallContentBytes) {
      yield { rows, bytes };
      rows = [];
      bytes = 0;
    }
    rows.push(use);
    bytes += size;
  }
  if (rows.length > 0) yield { rows, bytes };
}

async function selectTexts(
  session: ReadSession,
  uses: readonly UseRow[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await session.select<{ position: Position; payload: string }>(
    'SELECT position, payload FROM statement WHERE position IN (:positions)',
    { positions: uses.map(({ position }) => position) },
  );
  return new Map(rows.map(({ position, payload }) => [Number(position), payload]));
}

const absent = (sha2: string): NotFoundError =>
  new NotFoundError(
    `No statement that these credentials may read carries an attachment with the hash ${sha2}.`,
  );
