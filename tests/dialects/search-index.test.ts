import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { engines, type TestDatabase } from '../support/engines.ts';
import { batchOf, foundIds, serviceOn, statement, voiding } from '../support/statements.ts';

const verb = statement().verb.id;
const stride = 40;

describe.each(engines)('the search index on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  async function entriesIn(table: string): Promise<number> {
    const [row] = await database.db.read((session) =>
      session.select<{ statements: number }>(`SELECT COUNT(DISTINCT position) AS statements FROM ${table}`),
    );
    return row?.statements ?? 0;
  }

  it('takes up recent entries, where they are collected, every so many statements; all are found at any time', async () => {
    const service = serviceOn(database.db, { indexStride: stride, indexQuietTime: 60_000 });
    const ids: string[] = [];
    const waiting: number[] = [];
    for (let count = 0; count < 3 * stride; count += 1) {
      ids.push(...(await service.store(batchOf([statement()]))));
      waiting.push(await entriesIn('statement_key_recent'));
      expect(waiting.at(-1)).toBe(ids.length - (await entriesIn('statement_key')));
    }
    const { collectsIndexEntries } = database.db.dialect;
    expect(Math.max(...waiting)).toBe(collectsIndexEntries ? stride - 1 : 0);
    expect(waiting.filter((recent) => recent === 0).length).toBeGreaterThanOrEqual(2);
    expect(await foundIds(service, { verb, ascending: true, limit: 7 })).toEqual(ids);
  });

  it('takes the entries of a large write at once', async () => {
    const service = serviceOn(database.db, { indexStride: stride });
    await service.store(batchOf(Array.from({ length: stride }, () => statement())));
    expect(await entriesIn('statement_key')).toBe(stride);
    expect(await entriesIn('statement_key_recent')).toBe(0);
  });

  it('takes up what is left when nothing is written for a while', async () => {
    const service = serviceOn(database.db, { indexStride: 1000, indexQuietTime: 20 });
    const [id] = await service.store(batchOf([statement()]));
    await vi.waitFor(async () => expect(await entriesIn('statement_key')).toBe(1), 5000);
    expect(await entriesIn('statement_key_recent')).toBe(0);
    expect(await foundIds(service, { verb })).toEqual([id]);
  });

  it('takes up recent entries before any that is stored already changes', async () => {
    const service = serviceOn(database.db, { indexStride: 1000 });
    const id = randomUUID();
    await service.store(batchOf([statement({ id })]));
    const [voider = ''] = await service.store(batchOf([voiding(id)]));
    expect(await entriesIn('statement_key_recent')).toBe(0);
    expect(await foundIds(service, { verb })).toEqual([voider]);
  });
});
