import { addAgents } from '../agents/store.ts';
import type { Database, WriteSession } from '../db/types.ts';

const task = "task = 'document-agents'";

/** How many documents are looked at in one transaction. */
const defaultStep = 1000;
/** Before every key. */
const firstKey = Buffer.from('00', 'hex');

/**
 * Collects the Agents of documents that an older release has stored, in small transactions. After an interruption it begins
 * again, which adds none twice.
 * @param step for tests.
 */
export async function backfillDocumentAgents(db: Database, step = defaultStep): Promise<void> {
  const waiting = await db.read((session) => session.select(`SELECT task FROM backfill WHERE ${task}`));
  if (waiting.length === 0) return;
  for (let after: Buffer | undefined = firstKey; after !== undefined; ) {
    const start: Buffer = after;
    after = await db.write((session) => addSome(session, start, step));
  }
  await db.write((session) => session.execute(`DELETE FROM backfill WHERE ${task}`));
}

/** @returns the last key that was looked at; undefined when there are no more. */
async function addSome(session: WriteSession, after: Buffer, step: number): Promise<Buffer | undefined> {
  const rows = await session.select<{ id: Buffer; agent: string | null }>(
    'SELECT document_key AS id, agent FROM document WHERE document_key > :after ORDER BY document_key LIMIT :step',
    { after, step },
  );
  await addAgents(session, new Set(rows.flatMap(({ agent }) => agent ?? [])));
  return rows.length < step ? undefined : rows.at(-1)?.id;
}
