import { type Database, type ReadSession, smallContentBytes } from '../db/types.ts';
import type { Position } from '../position.ts';
import type { AttachmentContent, CarriedContent, ContentStore } from './types.ts';

export interface CarriedRow {
  readonly position: Position;
  readonly sha2: string;
  readonly content_type: string;
  readonly length: number;
}

/** All contents in the database, in the transaction of their statements. */
export function databaseContents(db: Database): ContentStore {
  return {
    reserve: () => undefined,

    place: async (contents) => contents,

    async carriedBy(session, positions) {
      if (positions.length === 0) return [];
      const rows = await session.select<CarriedRow>(
        `SELECT u.position, u.sha2, u.content_type, a.length
         FROM statement_attachment u JOIN attachment a ON a.sha2 = u.sha2
         WHERE u.position IN (:positions)`,
        { positions },
      );
      return rows.map(inDatabase);
    },

    read: (contents) => readRows(db, contents),
  };
}

/** Those that lie in the database. */
export async function readRows(
  db: Database,
  contents: readonly CarriedContent[],
): Promise<AttachmentContent[]> {
  if (contents.length === 0) return [];
  const bytes = contents.reduce((sum, { length }) => sum + length, 0);
  const types = new Map(contents.map(({ sha2, contentType }) => [sha2, contentType]));
  const rows = await db.read((session) => selectContents(session, [...types.keys()]), {
    large: bytes > smallContentBytes,
  });
  return rows.map(({ sha2, content }) => ({ sha2, contentType: types.get(sha2) ?? '', content }));
}

const selectContents = (session: ReadSession, hashes: readonly string[]) =>
  session.select<{ sha2: string; content: Buffer }>(
    'SELECT sha2, content FROM attachment WHERE sha2 IN (:hashes)',
    { hashes },
  );

export const inDatabase = ({ position, sha2, content_type, length }: CarriedRow): CarriedContent => ({
  position: Number(position),
  sha2,
  contentType: content_type,
  length: Number(length),
  objectId: undefined,
  sentAlong: true,
});
