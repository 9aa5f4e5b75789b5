import { randomBytes } from 'node:crypto';
import { serverSecret as serverSecretTable } from './tables/administration.ts';
import type { Database, ReadSession } from './types.ts';

const name = 'server';
const secretBytes = 32;

/**
 * The random secret of this database, created by the first process that needs it, and the same for all processes
 * afterwards.
 */
export async function serverSecret(db: Database): Promise<Buffer> {
  const known = await db.read(find);
  if (known) return known;
  try {
    return await db.write(async (session) => {
      const made = await find(session);
      if (made) return made;
      const content = randomBytes(secretBytes);
      const Secret = await session.model(serverSecretTable);
      await Secret.create({ name, content }, session.options);
      return content;
    });
  } catch (error) {
    // Another process has created it.
    if (!db.dialect.isUniqueViolation(error)) throw error;
    return serverSecret(db);
  }
}

async function find(session: ReadSession): Promise<Buffer | undefined> {
  const [row] = await session.select<{ content: Buffer }>(
    'SELECT content FROM server_secret WHERE name = :name',
    { name },
  );
  return row?.content;
}
