import type { ReadSession } from '../db/types.ts';
import type { AttachmentContent, Position } from './types.ts';

/** How many bytes of contents each statement adds to a page that lists the statements in this order. */
export async function attachmentSizes(
  session: ReadSession,
  positions: readonly Position[],
): Promise<Map<Position, number>> {
  const rows = await session.select<{ position: Position; sha2: string; length: number }>(
    `SELECT u.position, u.sha2, a.length
     FROM statement_attachment u JOIN attachment a ON a.sha2 = u.sha2
     WHERE u.position IN (:positions)`,
    { positions },
  );
  const places = new Map(positions.map((position, index) => [position, index]));
  rows.sort((a, b) => (places.get(a.position) ?? 0) - (places.get(b.position) ?? 0));
  const counted = new Set<string>();
  const sizes = new Map<Position, number>();
  for (const { position, sha2, length } of rows) {
    if (counted.has(sha2)) continue;
    counted.add(sha2);
    sizes.set(position, (sizes.get(position) ?? 0) + length);
  }
  return sizes;
}

/** The contents that came with the statements, each once. */
export async function selectContents(
  session: ReadSession,
  positions: readonly Position[],
): Promise<AttachmentContent[]> {
  const rows = await session.select<{ sha2: string; content_type: string; content: Buffer }>(
    `SELECT a.sha2, used.content_type, a.content
     FROM (SELECT sha2, MIN(content_type) AS content_type FROM statement_attachment
           WHERE position IN (:positions) GROUP BY sha2) used
     JOIN attachment a ON a.sha2 = used.sha2`,
    { positions },
  );
  return rows.map(({ content_type, ...rest }) => ({ ...rest, contentType: content_type }));
}
