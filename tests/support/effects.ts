import type { Database, WriteSession } from '../../lib/db/types.ts';
import type { FeedHandler, FeedItem } from '../../lib/feed/types.ts';
import { changeSchema } from './schema-change.ts';

/** A table that an effect of the feed adds a row to for each item, with who has added it. */
export async function createEffects(db: Database): Promise<void> {
  const { position, ascii } = db.dialect.columnTypes;
  await db.write((session) =>
    changeSchema(
      session,
      `CREATE TABLE effect (position ${position} NOT NULL, worker ${ascii(20)} NOT NULL)`,
    ),
  );
}

/** Adds the rows. @throws when they do not come behind those that are there. */
export async function addEffects(
  session: WriteSession,
  items: readonly FeedItem[],
  worker: string,
): Promise<void> {
  const [row] = await session.select<{ last: number | null }>('SELECT MAX(position) AS last FROM effect');
  if ((row?.last ?? 0) >= (items[0]?.position ?? 0)) throw new Error('an item has come again or too late');
  await session.insert(
    { name: 'effect', columns: { position: 'integer', worker: 'text' } },
    items.map(({ position }) => [position, worker]),
  );
}

/** Adds a row for each item. */
export function addingEffects(worker: string): FeedHandler {
  return {
    async handle(items) {
      return { through: items.at(-1)?.position ?? 0, write: (session) => addEffects(session, items, worker) };
    },
  };
}

/** In the order of positions. */
export function effectsIn(db: Database): Promise<{ position: number; worker: string }[]> {
  return db.read((session) => session.select('SELECT position, worker FROM effect ORDER BY position'));
}

export async function statementPositions(db: Database): Promise<number[]> {
  const rows = await db.read((session) =>
    session.select<{ position: number }>('SELECT position FROM statement ORDER BY position'),
  );
  return rows.map(({ position }) => position);
}
