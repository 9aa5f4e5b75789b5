import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { connect } from '../../lib/db/connect.ts';
import { isOnServer } from '../../lib/db/dialects/facts.ts';
import { hostsOf } from '../../lib/db/dialects/server/options.ts';
import { dropSibling } from '../../lib/db/sibling-databases.ts';
import type { Database } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { type Lrs, openLrs } from '../../lib/lrs.ts';
import { type Configuration, placeOfStore } from '../../lib/store-config.ts';
import { insertStore } from '../../lib/stores/registry.ts';
import { serverEngines, sharedEngines, type TestPlace } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { changeSchema } from '../support/schema-change.ts';
import { openSilentProxy } from '../support/silent-proxy.ts';
import { conditionLimit } from '../support/time-limits.ts';

const account = { username: 'operator of acme', password: 'Tr1cky_pass!' };
const acme = { name: 'acme', server: 'main', state: 'open', settings: {}, created: 1 } as const;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly store?: string;
  readonly server?: string;
}

const [warning, failure] = [40, 50];

describe.each(sharedEngines)('what is wrong with a store on $name', (engine) => {
  let place: TestPlace;
  let configuration: Configuration;
  let lrs: Lrs;
  let port: number;
  let lines: Line[];

  const open = async (): Promise<Lrs> => {
    const logger = createLogger('WARN', { write: (line) => lines.push(JSON.parse(line)) });
    return openLrs(configuration.config, configuration.secrets, logger);
  };

  beforeEach(async () => {
    place = await engine.reserve();
    port = await freePort();
    lines = [];
    const { config, secrets } = loadConfig({
      env: {
        LRS_ENABLE_STORES: 'true',
        LRS_STORES_SERVERS: `second=postgresql://lrs:hidden@127.0.0.1:${port}/lrs`,
      },
      cwd: import.meta.dirname,
    });
    const { dbPassword, dbToken, ...database } = isOnServer(place.options)
      ? place.options
      : { ...place.options, dbPassword: undefined, dbToken: undefined };
    configuration = {
      config: { ...config, database },
      secrets: { ...secrets, ...(dbPassword !== undefined && { dbPassword }) },
    };
    lrs = await open();
  });
  afterEach(async () => {
    await lrs.close();
    const { base, database } = placeOfStore(configuration, acme);
    await dropSibling(base, database);
    await place.remove();
  });

  async function inDatabase<T>(
    options: TestPlace['options'],
    work: (db: Database) => Promise<T>,
  ): Promise<T> {
    const db = await connect(options);
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  }

  const register = (server: string): Promise<void> =>
    inDatabase(place.options, (db) => db.write((session) => insertStore(session, { ...acme, server })));

  const inStore = (sql: string): Promise<void> =>
    inDatabase(placeOfStore(configuration, acme).database, (db) => db.write(({ execute }) => execute(sql)));

  const problem = async (): Promise<string | undefined> => (await lrs.stores?.find('acme'))?.problem?.text;

  const enter = async (): Promise<void> => (await lrs.stores?.enter('acme'))?.leave();

  it('is listed when its server is not configured any more, which a start warns of', async () => {
    await register('lost');
    expect(await problem()).toContain('has no server lost');
    expect((await lrs.stores?.list({ limit: 10 }))?.entries).toEqual([
      expect.objectContaining({ problem: { text: await problem(), since: expect.any(Number) } }),
    ]);
    await lrs.close();
    lrs = await open();
    const warnings = lines.filter(({ level, server }) => level === warning && server === 'lost');
    expect(warnings).toEqual([expect.objectContaining({ msg: expect.stringContaining('1 store is on') })]);
  });

  it('is logged once with store and server, and listed, when its server does not answer; clients are told neither', async () => {
    await register('second');
    const refusals = [await enter().catch(String), await enter().catch(String)];
    for (const refusal of refusals) {
      expect(refusal).toContain("The database of the store acme can't be used");
      expect(refusal).not.toMatch(/second|127\.0\.0\.1/);
    }
    expect(await problem()).toMatch(
      new RegExp(`127\\.0\\.0\\.1:${port}: start it, or check the server second in stores\\.storesServers`),
    );
    const found = lines.filter(({ level }) => level === failure);
    expect(found).toEqual([
      expect.objectContaining({
        store: 'acme',
        server: 'second',
        msg: expect.stringContaining('LRS_STORES_SERVERS'),
      }),
    ]);
  });

  it('is listed when it was used by a newer release, and not any more once it can be opened', async () => {
    await lrs.stores?.create({ name: 'acme', account });
    await inStore("INSERT INTO schema_migration (name) VALUES ('9999-future')");
    await expect(enter()).rejects.toThrow("can't be used");
    expect(await problem()).toContain('newer release');
    await inStore("DELETE FROM schema_migration WHERE name = '9999-future'");
    await enter();
    await expect.poll(problem, { timeout: conditionLimit }).toBeUndefined();
  });

  it('is listed when one of its tables is dropped while it is open, and it is not ready then', async () => {
    await lrs.stores?.create({ name: 'acme', account });
    const use = await lrs.stores?.enter('acme');
    await use?.opened.readiness.check();
    await inDatabase(placeOfStore(configuration, acme).database, (db) =>
      db.write((session) => changeSchema(session, 'DROP TABLE document')),
    );
    await expect(use?.opened.readiness.check()).rejects.toThrow('A table of the database is missing');
    use?.suspect();
    await vi.waitFor(async () => expect(await problem()).toMatch(/table.*document/), conditionLimit);
    use?.leave();
  });

  const onServers = serverEngines.includes(engine) ? it : () => {};

  onServers(
    'is listed with the address of its server and what to do when that is lost while the store is open',
    async () => {
      const { options } = place;
      if (!isOnServer(options)) throw new Error('There is no server.');
      const proxy = await openSilentProxy(hostsOf(options).current);
      const second = { ...options, dbHost: '127.0.0.1', dbPort: proxy.port };
      configuration = { ...configuration, secrets: { ...configuration.secrets, storeServers: { second } } };
      await lrs.close();
      lrs = await open();
      await lrs.stores?.create({ name: 'acme', server: 'second', account });
      const use = await lrs.stores?.enter('acme');
      await use?.opened.readiness.check();
      await proxy.close();
      use?.suspect();
      await vi.waitFor(async () => {
        expect(await problem()).toMatch(
          new RegExp(`^No \\w+ answers at 127\\.0\\.0\\.1:${proxy.port}: .* on the server second, `),
        );
      }, conditionLimit);
      use?.leave();
    },
  );

  it('is told to the operator who makes it on a server that does not answer', async () => {
    const made = lrs.stores?.create({ name: 'acme', server: 'second', account });
    await expect(made).rejects.toThrow(/The store acme can't be made: .* check the server second/);
    await expect(lrs.stores?.find('acme')).rejects.toThrow('There is no store named acme');
  });

  it('leaves it as it is when its server does not answer a deletion, so that it can be opened again', async () => {
    await register('second');
    await lrs.stores?.change('acme', { state: 'closed' });
    await expect(lrs.stores?.delete('acme')).rejects.toThrow(
      /The store acme can't be deleted: .* check the server second/,
    );
    expect(await lrs.stores?.find('acme')).toMatchObject({ state: 'closed' });
    await expect(lrs.stores?.change('acme', { state: 'open' })).resolves.toMatchObject({ state: 'open' });
  });
});
