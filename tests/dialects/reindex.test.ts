import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { reindex } from '../../lib/statements/reindex.ts';
import { SearchIndex } from '../../lib/statements/search/search-index.ts';
import { searchKey } from '../../lib/statements/search/search-key.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, foundIds, reference, serviceOn, statement, voiding } from '../support/statements.ts';

const logger = createLogger('OFF');
const verb = 'https://example.org/verbs/newly-searchable';
/** The key of a filter that a release before this one did not have. */
const added = searchKey('verb', verb);

interface Entry {
  readonly search_key: Buffer;
  readonly position: number;
  readonly fingerprint: number;
}

/** The whole index, in the same order on every engine. */
async function entriesIn(db: Database): Promise<string[]> {
  await db.write((session) => new SearchIndex().merge(session));
  const rows = await db.read((session) =>
    session.select<Entry>('SELECT search_key, position, fingerprint FROM statement_key'),
  );
  return rows
    .map(
      ({ search_key, position, fingerprint }) => `${position} ${keyText(search_key)} ${Number(fingerprint)}`,
    )
    .sort();
}

const keyText = (key: Buffer | string): string =>
  (typeof key === 'string' ? key : key.toString('hex')).replaceAll('-', '');

/** Makes the index what a release without that filter would have written. */
async function forgetFilter(db: Database): Promise<void> {
  await db.write(async (session) => {
    await new SearchIndex().merge(session);
    await session.execute('DELETE FROM statement_key WHERE search_key = :key', {
      key: Buffer.from(added, 'hex'),
    });
    const rows = await session.select<{ position: number; search_keys: Buffer }>(
      'SELECT position, search_keys FROM statement_reference',
    );
    for (const { position, search_keys } of rows) {
      const keys = search_keys.toString('hex').match(/.{32}/g) ?? [];
      await session.execute('UPDATE statement_reference SET search_keys = :keys WHERE position = :position', {
        position,
        keys: Buffer.from(keys.filter((key) => key !== added).join(''), 'hex'),
      });
    }
  });
}

describe.each(engines)('reindexing on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });
  afterEach(() => database.remove());

  /** Statements of two authorities, with references in both directions of time, and voided ones. */
  async function storeStory(): Promise<void> {
    const service = serviceOn(database.db);
    const [late, target, voided] = [randomUUID(), randomUUID(), randomUUID()];
    const other = { authority: agent('other') };
    await service.store(batchOf([reference(late), reference(late, { verb: { id: verb } })]));
    await service.store(
      batchOf([
        statement({ id: target, verb: { id: verb }, actor: agent('ann') }),
        statement({ id: voided, verb: { id: verb } }),
        ...Array.from({ length: 12 }, () => statement({ verb: { id: verb } })),
      ]),
    );
    const [first = ''] = await service.store(batchOf([reference(target), voiding(voided)]));
    await service.store(batchOf([reference(first), reference(target)], other));
    await service.store(batchOf([statement({ id: late, verb: { id: verb } })], other));
    await service.finishReferences();
    await service.stop();
  }

  it('gives stored statements the entries of a new filter, those that refer to others too', async () => {
    await storeStory();
    const complete = await entriesIn(database.db);
    await forgetFilter(database.db);
    expect(await entriesIn(database.db)).not.toEqual(complete);
    expect(await reindex(database.db, { logger })).toBe(true);
    expect(await entriesIn(database.db)).toEqual(complete);
    // Once more changes nothing.
    expect(await reindex(database.db, { logger })).toBe(true);
    expect(await entriesIn(database.db)).toEqual(complete);
  });

  it('replaces fingerprints, which an earlier release has computed without the filter', async () => {
    await storeStory();
    const complete = await entriesIn(database.db);
    await database.db.write((session) => session.execute('UPDATE statement_key SET fingerprint = 0'));
    await reindex(database.db, { logger });
    expect(await entriesIn(database.db)).toEqual(complete);
  });

  it('continues where it was interrupted, while statements are stored', async () => {
    await storeStory();
    await forgetFilter(database.db);
    let slices = 0;
    const signal = {
      get aborted() {
        slices += 1;
        return slices > 2;
      },
    };
    const limits = { statements: 4, bytes: 1_000_000 };
    expect(await reindex(database.db, { logger, signal, limits })).toBe(false);
    const service = serviceOn(database.db);
    const found = () => foundIds(service, { verb, ascending: true });
    const some = (await found()).length;
    const [newest = ''] = await service.store(batchOf([statement({ verb: { id: verb } })]));
    const progress = async (): Promise<number | undefined> => {
      const [row] = await database.db.read((session) =>
        session.select<{ position: number }>("SELECT position FROM task_progress WHERE task = 'reindex'"),
      );
      return row?.position;
    };
    expect(await progress()).toBeGreaterThan(0);
    expect(await reindex(database.db, { logger, limits })).toBe(true);
    expect(await progress()).toBeUndefined();
    const all = await found();
    expect(all.length).toBeGreaterThan(some + 1);
    expect(all.at(-1)).toBe(newest);
    await service.stop();
  });

  it('does nothing in an empty store', async () => {
    expect(await reindex(database.db, { logger })).toBe(true);
    expect(await entriesIn(database.db)).toEqual([]);
  });
});
