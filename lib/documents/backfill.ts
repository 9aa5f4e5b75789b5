import { addAgents } from '../agents/store.ts';
import type { Database } from '../db/types.ts';

const task = "task = 'document-agents'";

/** Collects the Agents of documents that an older release has stored, all in one transaction. */
export async function backfillDocumentAgents(db: Database): Promise<void> {
  const waiting = await db.read((session) => session.select(`SELECT task FROM backfill WHERE ${task}`));
  if (waiting.length === 0) return;
  await db.write(async (session) => {
    const rows = await session.select<{ agent: string }>(
      'SELECT DISTINCT agent FROM document WHERE agent IS NOT NULL',
    );
    await addAgents(session, new Set(rows.map(({ agent }) => agent)));
    await session.execute(`DELETE FROM backfill WHERE ${task}`);
  });
}
