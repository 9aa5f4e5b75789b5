import { insertObjects } from '../../attachments/object-store.ts';
import type { AttachmentContent } from '../../attachments/types.ts';
import type { RowSession } from '../../db/types.ts';
import type { Admission } from '../ingest/admit.ts';
import type { PreparedStatement } from '../ingest/prepare.ts';
import { attachmentTable, statementAttachmentTable } from '../tables.ts';
import type { Position } from '../types.ts';

/** The attachment contents of the requests that store at least one statement. */
export function contentsOf(
  requests: readonly { readonly contents: readonly AttachmentContent[] }[],
  admissions: readonly Admission[],
): Map<string, AttachmentContent> {
  const stored = requests.filter((_, index) => {
    const admission = admissions[index];
    return admission !== undefined && 'admitted' in admission && admission.admitted.length > 0;
  });
  return new Map(stored.flatMap(({ contents }) => contents.map((content) => [content.sha2, content])));
}

/** A statement that uses contents, and its place in the store. */
interface Use {
  readonly position: Position;
  readonly prepared: Pick<PreparedStatement, 'contents'>;
}

/** Writes each content that the new statements use once, and the rows that connect them. */
export async function insertContents(
  session: RowSession,
  arrivals: readonly Use[],
  contents: ReadonlyMap<string, AttachmentContent>,
): Promise<void> {
  const uses = arrivals.flatMap(({ prepared, position }) =>
    prepared.contents.map(({ sha2, contentType }) => [position, sha2, contentType] as const),
  );
  const used = new Set(uses.map(([, sha2]) => sha2));
  const carried = [...contents.values()].filter(({ sha2 }) => used.has(sha2));
  await session.insert(
    attachmentTable,
    carried
      .filter(({ object }) => object === undefined)
      .map(({ sha2, content }) => [sha2, content.length, content]),
    { skipTaken: true },
  );
  await insertObjects(
    session,
    carried.flatMap(({ sha2, object }) => (object === undefined ? [] : { sha2, ...object })),
  );
  await session.insert(statementAttachmentTable, uses);
}
