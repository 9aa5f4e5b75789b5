import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import { createLogger } from '../../lib/logger.ts';
import { createStoreService } from '../../lib/stores/service.ts';
import type { StoreServiceOptions } from '../../lib/stores/service-options.ts';
import { sharedEngines, type TestPlace } from '../support/engines.ts';

const account = { username: 'operator of acme', password: 'Tr1cky_pass!' };

describe.each(sharedEngines)('a store that another process deletes while it is made, on $name', (engine) => {
  let place: TestPlace;
  let db: MonitoredDatabase;
  let lines: { readonly level: number; readonly msg: string }[];
  /** The names of the stores that have a database. */
  let databases: Set<string>;

  beforeEach(async () => {
    place = await engine.reserve();
    lines = [];
    databases = new Set();
    db = await openDatabase(place.options, createLogger('OFF'));
  });
  afterEach(async () => {
    await db.close();
    await place.remove();
  });

  const processThat = (prepare: () => Promise<void>) => {
    const options: StoreServiceOptions<{ close(): Promise<void> }> = {
      open: async () => ({ close: async () => {} }),
      stopBackground: async () => {},
      check: async () => {},
      admit: () => undefined,
      validate: () => {},
      prepare,
      places: {
        servers: ['main'],
        create: async ({ name }) => void databases.add(name),
        exists: async ({ name }) => databases.has(name),
        drop: async ({ name }) => void databases.delete(name),
      },
      maxCount: 10,
      maxOpen: 10,
      idleTimeout: 60_000,
      logger: createLogger('ERROR', { write: (line) => lines.push(JSON.parse(line)) }),
    };
    return createStoreService(db, options);
  };

  const makeAndDelete = async (afterwards: () => void) => {
    const deleting = processThat(async () => {});
    const making = processThat(async () => {
      await deleting.delete('acme');
      afterwards();
    });
    await expect(making.create({ name: 'acme', account })).rejects.toThrow(
      'was changed or deleted meanwhile',
    );
    await expect(making.find('acme')).rejects.toThrow('There is no store named acme');
  };

  it('is gone, of which the log says nothing', async () => {
    await makeAndDelete(() => {});
    expect(lines).toEqual([]);
  });

  it('is left over when its database was made anew, which the log says', async () => {
    await makeAndDelete(() => databases.add('acme'));
    expect(lines.map(({ msg }) => msg)).toEqual(['a store that could not be made is left over']);
  });
});
