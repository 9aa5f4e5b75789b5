import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { connect } from '../../lib/db/connect.ts';
import { isOnServer } from '../../lib/db/dialects/facts.ts';
import { databaseName, dropSibling, siblingExists } from '../../lib/db/sibling-databases.ts';
import { UnavailableError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { type Lrs, openLrs } from '../../lib/lrs.ts';
import { ReactionMemory } from '../../lib/reactions/memory.ts';
import { type Configuration, placeOfStore } from '../../lib/store-config.ts';
import { deleteStore, insertStore, selectStore, updateStore } from '../../lib/stores/registry.ts';
import type { Store } from '../../lib/stores/types.ts';
import { sharedEngines, type TestPlace } from '../support/engines.ts';
import { inStore } from '../support/in-store.ts';
import { ruleset } from '../support/reactions.ts';
import { batchOf, foundIds, statement } from '../support/statements.ts';
import { conditionLimit } from '../support/time-limits.ts';

const account = { username: 'operator of acme', password: 'Tr1cky_pass!' };

describe.each(sharedEngines)('a database beside that of the default store on $name', (engine) => {
  let place: TestPlace;
  let configuration: Configuration;
  let lrs: Lrs;

  beforeEach(async () => {
    place = await engine.reserve();
    const { config } = loadConfig({
      env: { LRS_ENABLE_STORES: 'true', LRS_RATE_LIMIT_PER_ADDRESS: '1' },
      cwd: import.meta.dirname,
    });
    if (isOnServer(place.options)) {
      const { dbPassword, dbToken, ...database } = place.options;
      const secrets = dbPassword === undefined ? {} : { dbPassword };
      configuration = { config: { ...config, database }, secrets };
    } else {
      configuration = { config: { ...config, database: place.options }, secrets: {} };
    }
    lrs = await openLrs(configuration.config, configuration.secrets, createLogger('OFF'));
  });
  afterEach(async () => {
    await lrs.close();
    const { base, database } = placeOfStore(configuration, { ...unregistered, name: 'acme' });
    await dropSibling(base, database);
    await place.remove();
  });

  const unregistered = { server: 'main', state: 'closed', settings: {}, created: 0 } as const;

  async function inRegistry<T>(work: (db: Awaited<ReturnType<typeof connect>>) => Promise<T>): Promise<T> {
    const db = await connect(place.options);
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  }

  it('that has something in it is neither taken nor removed for a new store of its name', async () => {
    await lrs.stores?.create({ name: 'acme', account });
    const ids = await inStore(lrs, 'acme', (store) => store.statements.store(batchOf([statement()])));
    await lrs.stores?.change('acme', { state: 'closed' });
    const store = await inRegistry(async (db) => {
      const registered = await db.read((session) => selectStore(session, 'acme'));
      await db.write((session) => deleteStore(session, registered as Store));
      return registered as Store;
    });

    const { found, removal } = remains();
    await expect(lrs.stores?.create({ name: 'acme', account })).rejects.toThrow(
      `On the server main there is a ${found} already, which is not empty. It may be what a store of that name has left when it moved or was taken off the list: when you are sure, remove it (${removal}), and try again.`,
    );
    await expect(lrs.stores?.find('acme')).rejects.toThrow('There is no store named acme');

    await inRegistry((db) => db.write((session) => insertStore(session, { ...store, state: 'open' })));
    expect(await inStore(lrs, 'acme', (each) => foundIds(each.statements))).toEqual(ids);
  });

  /** What an operator is told of a database that is left. */
  function remains(): { readonly found: string; readonly removal: string } {
    const name = databaseName(placeOfStore(configuration, { ...unregistered, name: 'acme' }).database);
    switch (engine.family) {
      case 'postgres':
        return { found: `schema ${name}`, removal: `DROP SCHEMA ${name} CASCADE` };
      case 'mariadb':
        return { found: `database ${name}`, removal: `DROP DATABASE ${name}` };
      default:
        return { found: `file ${name}`, removal: `rm -f ${name} ${name}-wal ${name}-shm ${name}-journal` };
    }
  }

  it.each([
    ['creating', 'The creation of the store acme was interrupted or is under way: delete it.'],
    ['deleting', 'The deletion of the store acme was interrupted or is under way: delete it.'],
  ] as const)(
    'of a store in the state %s is neither used nor made, and the refusal says what to do',
    async (state, remedy) => {
      await inRegistry((db) => db.write((session) => insertStore(session, { ...acme, state })));
      await expect(lrs.stores?.create({ name: 'acme', account })).rejects.toThrow(remedy);
      await expect(lrs.stores?.change('acme', { state: 'open' })).rejects.toThrow(remedy);
    },
  );

  it('has no rate limits of addresses: they count in the default store for all stores together', async () => {
    await lrs.stores?.create({ name: 'acme', account });
    await inStore(lrs, 'acme', async ({ rateLimits }) => {
      // What comes first is counted by the process alone.
      for (let request = 0; request < 2; request += 1) await rateLimits?.admit('address', '192.0.2.1');
      const marks = () =>
        inRegistry((db) => db.read(({ select }) => select<object>('SELECT mark FROM login_mark')));
      await vi.waitFor(async () => expect(await marks()).toHaveLength(1), conditionLimit);
    });
  });

  it('has the memory for reactions in common with those of all stores of its process', async () => {
    for (const name of ['acme', 'globex']) await lrs.stores?.create({ name, account });
    const opened = vi.spyOn(ReactionMemory.prototype, 'open');
    const preview = ({ reactions }: Lrs) =>
      reactions.preview({ ruleset: ruleset() as JsonObject, statements: 10 });
    for (const name of ['acme', 'globex']) await inStore(lrs, name, preview);
    await preview(lrs);
    expect([opened.mock.contexts.length, new Set(opened.mock.contexts).size]).toEqual([3, 1]);
    opened.mockRestore();
    await lrs.stores?.change('globex', { state: 'closed' });
    await lrs.stores?.delete('globex');
  });

  const acme = { ...unregistered, name: 'acme' };

  /** Drops the database of the store, as somebody may do by hand. */
  async function loseDatabase(): Promise<void> {
    await lrs.stores?.create({ name: 'acme', account });
    const { base, database } = placeOfStore(configuration, acme);
    await dropSibling(base, database);
  }

  const isThere = (): Promise<boolean> => {
    const { base, database } = placeOfStore(configuration, acme);
    return siblingExists(base, database);
  };

  it('that was dropped by hand is not made anew, and the store is missing until an operator decides', async () => {
    await loseDatabase();
    await expect(lrs.stores?.enter('acme')).rejects.toThrow('The database of the store acme is missing');
    expect(await lrs.stores?.find('acme')).toMatchObject({ state: 'missing' });
    await lrs.stores?.change('acme', { state: 'open' });
    await expect(lrs.stores?.enter('acme')).rejects.toThrow('is missing');
    expect(await isThere()).toBe(false);
    await lrs.stores?.delete('acme');
    await lrs.stores?.create({ name: 'acme', account });
    expect(await inStore(lrs, 'acme', (store) => foundIds(store.statements))).toEqual([]);
  });

  it('that is brought back serves its store as soon as that is opened', async () => {
    await lrs.stores?.create({ name: 'acme', account });
    await inRegistry(async (db) => {
      const registered = await db.read((session) => selectStore(session, 'acme'));
      await db.write((session) => updateStore(session, { ...(registered as Store), state: 'missing' }));
    });
    await expect(lrs.stores?.enter('acme')).rejects.toThrow('is missing');
    await lrs.stores?.change('acme', { state: 'open' });
    expect(await inStore(lrs, 'acme', (store) => foundIds(store.statements))).toEqual([]);
  });

  it('stays as it is when only the entry of its store is deleted', async () => {
    await lrs.stores?.create({ name: 'acme', account });
    await lrs.stores?.change('acme', { state: 'closed' });
    await lrs.stores?.delete('acme', { entryOnly: true });
    await expect(lrs.stores?.find('acme')).rejects.toThrow('There is no store named acme');
    expect(await isThere()).toBe(true);
  });

  it('is closed in other processes before one that is deleted makes room for another store of its name', async () => {
    const other = await openLrs(configuration.config, configuration.secrets, createLogger('OFF'));
    await lrs.stores?.create({ name: 'acme', account });
    const use = await other.stores?.enter('acme');
    await lrs.stores?.change('acme', { state: 'closed' });
    await lrs.stores?.delete('acme');
    await lrs.stores?.create({ name: 'acme', account });
    await expect(use?.opened.statements.store(batchOf([statement()]))).rejects.toThrow(UnavailableError);
    use?.leave();
    expect(await inStore(lrs, 'acme', (store) => foundIds(store.statements))).toEqual([]);
    await other.close();
  });

  it('on a server that is lost keeps nobody from deleting the entry of its store', async () => {
    await inRegistry((db) =>
      db.write((session) => insertStore(session, { ...acme, name: 'globex', server: 'lost' })),
    );
    await expect(lrs.stores?.delete('globex')).rejects.toThrow("can't be deleted");
    await lrs.stores?.delete('globex', { entryOnly: true });
    await expect(lrs.stores?.find('globex')).rejects.toThrow('There is no store named globex');
  });

  // MariaDB counts from time to time.
  if (engine.family !== 'mariadb') {
    it('has a size of its own in the settings', async () => {
      await lrs.stores?.create({ name: 'acme', account });
      const sizes = async () => [
        (await lrs.settings.describe()).database.size,
        await inStore(lrs, 'acme', async (store) => (await store.settings.describe()).database.size),
      ];
      const [base = 0, before = 0] = await sizes();
      await inStore(lrs, 'acme', (store) =>
        store.statements.store(
          batchOf(Array.from({ length: 200 }, () => statement({ result: { response: 'x'.repeat(2000) } }))),
        ),
      );
      await expect.poll(async () => (await sizes())[1]).toBeGreaterThan(before + 100_000);
      expect((await sizes())[0]).toBeLessThan(base + 100_000);
    });
  }
});
