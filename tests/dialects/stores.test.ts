import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { connect } from '../../lib/db/connect.ts';
import { isOnServer } from '../../lib/db/dialects/facts.ts';
import { dropSibling } from '../../lib/db/sibling-databases.ts';
import { createLogger } from '../../lib/logger.ts';
import { type Lrs, openLrs } from '../../lib/lrs.ts';
import { type Configuration, placeOfStore } from '../../lib/store-config.ts';
import { deleteStore, insertStore, selectStore } from '../../lib/stores/registry.ts';
import type { Store } from '../../lib/stores/types.ts';
import { sharedEngines, type TestPlace } from '../support/engines.ts';
import { inStore } from '../support/in-store.ts';
import { batchOf, foundIds, statement } from '../support/statements.ts';

const account = { username: 'operator of acme', password: 'Tr1cky_pass!' };

describe.each(sharedEngines)('a database beside that of the default store on $name', (engine) => {
  let place: TestPlace;
  let configuration: Configuration;
  let lrs: Lrs;

  beforeEach(async () => {
    place = await engine.reserve();
    const { config } = loadConfig({ env: { LRS_ENABLE_STORES: 'true' }, cwd: import.meta.dirname });
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

    await expect(lrs.stores?.create({ name: 'acme', account })).rejects.toThrow('is not empty');
    await expect(lrs.stores?.find('acme')).rejects.toThrow('There is no store named acme');

    await inRegistry((db) => db.write((session) => insertStore(session, { ...store, state: 'open' })));
    expect(await inStore(lrs, 'acme', (each) => foundIds(each.statements))).toEqual(ids);
  });
});
