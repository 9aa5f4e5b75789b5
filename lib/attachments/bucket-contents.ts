import { randomUUID } from 'node:crypto';
import type { Database } from '../db/types.ts';
import { isMediaType } from '../xapi/media-type.ts';
import { type CarriedRow, inDatabase, readRows } from './content-store.ts';
import type { AttachmentContent, CarriedContent, ContentStore, ObjectStore } from './types.ts';
import { UploadBudget } from './upload-budget.ts';
import { insertUploads } from './upload-store.ts';

/** Requests to the bucket at once. */
const atOnce = 8;
/** Characters; the names of media types have 255 at most (RFC 6838 4.2), and a bucket limits the length of all headers. */
const longestType = 512;

interface PlacedRow extends Omit<CarriedRow, 'length'> {
  readonly length: number | null;
  readonly object_id: string | null;
  readonly object_length: number | null;
  readonly sent_along: number | null;
}

export interface BucketOptions {
  readonly objects: Pick<ObjectStore, 'put' | 'read' | 'requireAnswers'>;
  /** Contents of more bytes than this lie in the bucket. */
  readonly inlineBytes: number;
  /** Milliseconds since the epoch, in place of the clock; for tests. */
  readonly now?: () => number;
}

/** Large contents in a bucket, small ones in the database. */
export function bucketContents(
  db: Database,
  { objects, inlineBytes, now = Date.now }: BucketOptions,
): ContentStore {
  const budget = new UploadBudget();

  async function placeOne(content: AttachmentContent, objectId: string): Promise<AttachmentContent> {
    await objects.put(objectId, { ...content, contentType: typeOfObject(content.contentType) });
    return {
      ...content,
      content: Buffer.alloc(0),
      object: { objectId, length: content.content.length, sentAlong: true },
    };
  }

  return {
    reserve: (contents, bytes, client) =>
      contents.some(({ length }) => length > inlineBytes)
        ? budget.enter(bytes, () => objects.requireAnswers(), client)
        : undefined,

    async place(contents) {
      const large = contents.filter(({ content }) => content.length > inlineBytes);
      if (large.length === 0) return contents;
      const ids = new Map(large.map((content) => [content, randomUUID() as string]));
      // Of what is not referred to afterwards, this leads to its removal.
      const expires = Math.floor(now() / 1000);
      await db.write((session) =>
        insertUploads(
          session,
          '',
          Array.from(ids, ([{ sha2, contentType, content }, objectId]) => ({
            objectId,
            sha2,
            length: content.length,
            contentType: typeOfObject(contentType),
            expires,
          })),
        ),
      );
      return inSlices(contents, async (content) => {
        const objectId = ids.get(content);
        return objectId === undefined ? content : placeOne(content, objectId);
      });
    },

    async carriedBy(session, positions) {
      if (positions.length === 0) return [];
      const rows = await session.select<PlacedRow>(
        `SELECT u.position, u.sha2, u.content_type, a.length, o.object_id, o.length AS object_length, o.sent_along
         FROM statement_attachment u
         LEFT JOIN attachment a ON a.sha2 = u.sha2
         LEFT JOIN attachment_object o ON o.sha2 = u.sha2
         WHERE u.position IN (:positions)`,
        { positions },
      );
      return rows.flatMap((row) =>
        row.length === null ? inObject(row) : inDatabase({ ...row, length: row.length }),
      );
    },

    async read(contents) {
      const rows = await readRows(
        db,
        contents.filter(({ objectId }) => objectId === undefined),
      );
      const further = await inSlices(contents, async ({ sha2, contentType, objectId, length }) =>
        objectId === undefined
          ? []
          : [{ sha2, contentType, content: await objects.read(objectId, { sha2, length }) }],
      );
      return [...rows, ...further.flat()];
    },
  };
}

/**
 * The content type of an object. That of a part may be any text, and the bucket takes only what may be a header; the statement names
 * the type that downloads have.
 */
const typeOfObject = (contentType: string): string =>
  contentType.length <= longestType && isMediaType(contentType) ? contentType : 'application/octet-stream';

function inObject({
  position,
  sha2,
  content_type,
  object_id,
  object_length,
  sent_along,
}: PlacedRow): CarriedContent[] {
  if (object_id === null) return [];
  return [
    {
      position: Number(position),
      sha2,
      contentType: content_type,
      length: Number(object_length),
      objectId: object_id,
      sentAlong: sent_along === 1,
    },
  ];
}

/** As many at once as the bucket is asked; all of those that have begun have ended when one of them fails. */
async function inSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    const settled = await Promise.allSettled(items.slice(start, start + atOnce).map(work));
    for (const result of settled) {
      if (result.status === 'rejected') throw result.reason;
      results.push(result.value);
    }
  }
  return results;
}
