import type { ServerRow } from '../db/dialects/dialect.ts';
import type { ReadSession } from '../db/types.ts';
import type { Setup } from './types.ts';

/** What the engine says of itself and of the database. */
export async function readServer(session: ReadSession): Promise<Omit<Setup['database'], 'engine'>> {
  const [server] = await session.select<ServerRow>(session.dialect.serverSql);
  const [newest] = await session.select<{ name: string }>('SELECT MAX(name) AS name FROM schema_migration');
  return { version: server?.version ?? '', size: Number(server?.size ?? 0), schema: newest?.name ?? '' };
}
