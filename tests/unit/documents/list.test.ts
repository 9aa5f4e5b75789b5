import { expect, it } from 'vitest';
import type { Database, ReadSession } from '../../../lib/db/types.ts';
import { createDocumentService } from '../../../lib/documents/service.ts';

const collection = {
  kind: 'activities/profile',
  activity: 'http://example.org/activity',
  agent: undefined,
  registration: undefined,
} as const;

/** A database with two documents, of which one has a long id. */
const documents = [
  { id: 'b'.repeat(300), updated: 1 },
  { id: 'a', updated: 2 },
];
const session = {
  async select(sql: string) {
    if (sql.includes('COUNT(*)')) return [{ documents: 2, bytes: 301 }];
    if (!sql.includes('CASE')) return documents;
    return documents.map(({ id, updated }) => ({ id: id.length > 256 ? null : id, updated }));
  },
} as unknown as ReadSession;
const db = {
  read: <T>(work: (session: ReadSession) => Promise<T>) => work(session),
} as unknown as Database;

it('long lists that are read at the same time are made in different turns of the event loop', async () => {
  const service = createDocumentService(db);
  let turn = 0;
  let done = false;
  const count = (): void => {
    turn += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  const turns = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { ids, updated } = await service.list(collection);
      expect([ids, updated]).toEqual([['a', 'b'.repeat(300)], 2]);
      return turn;
    }),
  );
  done = true;
  expect(new Set(turns).size).toBe(4);
});
