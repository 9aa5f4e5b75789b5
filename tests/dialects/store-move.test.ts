import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import type { Config } from '../../config/types.ts';
import { connect } from '../../lib/db/connect.ts';
import { isOnServer } from '../../lib/db/dialects/facts.ts';
import { databaseName, dropSibling } from '../../lib/db/sibling-databases.ts';
import { createLogger } from '../../lib/logger.ts';
import { type Lrs, openLrs } from '../../lib/lrs.ts';
import { type Configuration, placeOfStore } from '../../lib/store-config.ts';
import { moveStore } from '../../lib/store-move.ts';
import { serverEngines, type TestPlace } from '../support/engines.ts';
import { inStore } from '../support/in-store.ts';
import { batchOf, foundIds, statement } from '../support/statements.ts';

const logger = createLogger('OFF');
const account = { username: 'operator of acme', password: 'Tr1cky_pass!' };
const env = { PATH: process.env.PATH };

/** What copies a database of each engine. */
const programs: Readonly<Record<string, readonly string[]>> = {
  postgres: ['pg_dump', 'pg_restore'],
  mariadb: ['mariadb-dump', 'mariadb'],
};
const isInstalled = (name: string): boolean =>
  spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;

describe.each(serverEngines.filter(({ dialect }) => programs[dialect]?.every(isInstalled)))(
  'a store on $name',
  (engine) => {
    let first: TestPlace;
    let second: TestPlace;
    let configuration: Configuration;
    let lrs: Lrs;

    beforeEach(async () => {
      [first, second] = await Promise.all([engine.reserve(), engine.reserve()]);
      if (!isOnServer(first.options) || !isOnServer(second.options)) throw new Error('These are servers.');
      const { config } = loadConfig({ env: { LRS_ENABLE_STORES: 'true' }, cwd: import.meta.dirname });
      const { dbPassword, dbToken, ...database } = first.options;
      const own: Config = { ...config, database };
      configuration = {
        config: own,
        secrets: {
          ...(dbPassword !== undefined && { dbPassword }),
          storeServers: { second: second.options },
        },
      };
      lrs = await openLrs(configuration.config, configuration.secrets, logger);
      await lrs.stores?.create({ name: 'acme', account });
    });
    afterEach(async () => {
      await lrs.close();
      for (const server of ['main', 'second']) {
        const { base, database } = placeOfStore(configuration, {
          name: 'acme',
          server,
          state: 'open',
          settings: {},
          created: 0,
        });
        await dropSibling(base, database);
      }
      await Promise.all([first.remove(), second.remove()]);
    });

    async function move(server = 'second'): Promise<string> {
      const db = await connect(first.options);
      try {
        return await moveStore(db, configuration, { name: 'acme', server, env });
      } finally {
        await db.close();
      }
    }

    it('has everything on the other server, its audit trail and tokens too, and the former database stays', async () => {
      const [ids, token] = await inStore(lrs, 'acme', async (store) => [
        await store.statements.store(batchOf([statement()])),
        await store.tokens.issue(await store.accounts.login(account.username, account.password)),
      ]);
      await lrs.stores?.change('acme', { state: 'closed' });
      const former = await move();
      expect(former).toBe(databaseName(placeOfStore(configuration, stored('main')).database));
      await lrs.stores?.change('acme', { state: 'open' });
      expect(await lrs.stores?.find('acme')).toMatchObject({ server: 'second', state: 'open' });
      await inStore(lrs, 'acme', async (store) => {
        expect(await foundIds(store.statements)).toEqual(ids);
        await expect(store.tokens.verify(token)).resolves.toBeDefined();
      });
    });

    it('is not moved while it is open, and nothing is left on the other server', async () => {
      await expect(move()).rejects.toThrow('close it before it is moved');
      await expect(lrs.stores?.find('acme')).resolves.toMatchObject({ server: 'main' });
    });

    it('does not move to a server that the command does not know', async () => {
      await lrs.stores?.change('acme', { state: 'closed' });
      await expect(move('third')).rejects.toThrow(
        'There is no server third: this command knows main, second, from stores.storesServers',
      );
    });

    it('does not move back while its former database is there, and the refusal says how that is removed', async () => {
      await lrs.stores?.change('acme', { state: 'closed' });
      const former = await move();
      const kind = engine.dialect === 'postgres' ? 'schema' : 'database';
      await expect(move('main')).rejects.toThrow(
        new RegExp(
          `On the server main there is a ${kind} ${former} already.*DROP ${kind.toUpperCase()} ${former}`,
        ),
      );
      await expect(lrs.stores?.find('acme')).resolves.toMatchObject({ server: 'second', state: 'closed' });
    });

    const stored = (server: string) =>
      ({ name: 'acme', server, state: 'closed', settings: {}, created: 0 }) as const;
  },
);
