import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import type { Config } from '../../config/types.ts';
import { CommitOutcomeUnknownError } from '../../lib/db/commit-outcome.ts';
import { connect } from '../../lib/db/connect.ts';
import { isOnServer } from '../../lib/db/dialects/facts.ts';
import { databaseName, dropSibling, siblingExists } from '../../lib/db/sibling-databases.ts';
import type { Database, ReadSession } from '../../lib/db/types.ts';
import { UnavailableError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import { type Lrs, openLrs } from '../../lib/lrs.ts';
import { type Configuration, placeOfStore } from '../../lib/store-config.ts';
import { type FormerDatabase, moveStore } from '../../lib/store-move.ts';
import { updatePlace } from '../../lib/stores/registry.ts';
import type { Store } from '../../lib/stores/types.ts';
import { serverEngines, type TestPlace } from '../support/engines.ts';
import { inStore } from '../support/in-store.ts';
import { batchOf, foundIds, statement } from '../support/statements.ts';

const logger = createLogger('OFF');
const account = { username: 'operator of acme', password: 'Tr1cky_pass!' };
const env = { PATH: process.env.PATH };

/** What copies a database on each kind of server. */
const programs: Readonly<Record<string, readonly string[]>> = {
  postgres: ['pg_dump', 'pg_restore'],
  mariadb: ['mariadb-dump', 'mariadb'],
};
const isInstalled = (name: string): boolean =>
  spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;

describe.each(serverEngines.filter(({ family }) => programs[family]?.every(isInstalled)))(
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
        const { base, database } = placeOfStore(configuration, { name: 'acme', server });
        await dropSibling(base, database);
      }
      await Promise.all([first.remove(), second.remove()]);
    });

    /** @param over makes of the database of the default store the one that the move works with. */
    async function move(
      server = 'second',
      over: (db: Database) => Database = (db) => db,
      signal?: AbortSignal,
    ): Promise<FormerDatabase> {
      const db = await connect(first.options);
      try {
        return await moveStore(over(db), configuration, { name: 'acme', server, env, signal });
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
      const left = databaseName(placeOfStore(configuration, stored('main')).database);
      expect(former).toEqual({
        server: 'main',
        ...(engine.family === 'postgres'
          ? { name: `schema ${left}`, removal: `DROP SCHEMA ${left} CASCADE` }
          : { name: `database ${left}`, removal: `DROP DATABASE ${left}` }),
      });
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

    it('stays where it is when the move is interrupted', async () => {
      await lrs.stores?.change('acme', { state: 'closed' });
      const signal = AbortSignal.abort(new Error('Interrupted.'));
      await expect(move('second', undefined, signal)).rejects.toThrow('Interrupted.');
      await expect(lrs.stores?.find('acme')).resolves.toMatchObject({ server: 'main', state: 'closed' });
    });

    it('has everything that was acknowledged by a process that had it open when it was closed', async () => {
      const other = await openLrs(configuration.config, configuration.secrets, logger);
      const stored: string[] = [];
      const refused = inStore(other, 'acme', async ({ statements }) => {
        for (;;) stored.push(...(await statements.store(batchOf([statement()]))));
      });
      const outcome = expect(refused).rejects.toThrow(UnavailableError);
      await expect.poll(() => stored.length).toBeGreaterThan(0);
      await lrs.stores?.change('acme', { state: 'closed' });
      await move();
      await outcome;
      await lrs.stores?.change('acme', { state: 'open' });
      const found = await inStore(lrs, 'acme', (store) => foundIds(store.statements));
      expect(new Set(found)).toEqual(new Set(stored));
      await other.close();
    });

    it('stays where it is when somebody opens it and closes it again while it is copied, with what was written meanwhile', async () => {
      await lrs.stores?.change('acme', { state: 'closed' });
      const moved = expect(move()).rejects.toThrow('changed or deleted meanwhile, and has not moved');
      await expect.poll(async () => (await lrs.stores?.find('acme'))?.state).toBe('moving');
      await lrs.stores?.change('acme', { state: 'open' });
      const ids = await inStore(lrs, 'acme', (store) => store.statements.store(batchOf([statement()])));
      await lrs.stores?.change('acme', { state: 'closed' });
      await moved;
      expect(await lrs.stores?.find('acme')).toMatchObject({ server: 'main', state: 'closed' });
      expect(await isThere('second')).toBe(false);
      await lrs.stores?.change('acme', { state: 'open' });
      expect(await inStore(lrs, 'acme', (store) => foundIds(store.statements))).toEqual(ids);
    });

    it('is refused to requests while it moves, is not deleted then, and can be opened after an interruption', async () => {
      await register({ server: 'main', state: 'moving' });
      await expect(lrs.stores?.enter('acme')).rejects.toThrow('is closed at the moment');
      await expect(lrs.stores?.delete('acme')).rejects.toThrow(
        'if no move is running, close it before it is deleted',
      );
      await expect(move()).rejects.toThrow('if no move is running, close it before it is moved');
      await lrs.stores?.change('acme', { state: 'open' });
      expect(await inStore(lrs, 'acme', (store) => foundIds(store.statements))).toEqual([]);
    });

    it.each([
      ['missing', 'bring it back and close the store before it is moved'],
      ['creating', 'The creation of the store acme was interrupted or is under way: delete it.'],
      ['deleting', 'The deletion of the store acme was interrupted or is under way: delete it.'],
    ] as const)('does not move in the state %s, and the refusal says what to do', async (state, remedy) => {
      await register({ server: 'main', state });
      await expect(move()).rejects.toThrow(remedy);
    });

    it('has moved when the connection is lost as that is committed, and its copy is kept', async () => {
      await lrs.stores?.change('acme', { state: 'closed' });
      let writes = 0;
      const losing = (db: Database): Database => ({
        ...db,
        read: (work) => db.read(work),
        write: async (work) => {
          const result = await db.write(work);
          writes += 1;
          if (writes === 2)
            throw new CommitOutcomeUnknownError({ cause: new Error('The connection is lost.') });
          return result;
        },
      });
      await move('second', losing);
      await lrs.stores?.change('acme', { state: 'open' });
      expect(await lrs.stores?.find('acme')).toMatchObject({ server: 'second', state: 'open' });
      expect(await inStore(lrs, 'acme', (store) => foundIds(store.statements))).toEqual([]);
    });

    it('has positions after the watermarks that it had, when the clock of the other server is behind', async () => {
      await lrs.stores?.change('acme', { state: 'closed' });
      const before = Date.now() * 1000;
      await move();
      const [row] = await inDatabase('second', ({ select }) =>
        select<{ watermark: number }>('SELECT watermark FROM write_lock'),
      );
      expect(Number(row?.watermark)).toBeGreaterThan(before);
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
      const refusal = `On the server main there is a ${former.name} already, which is not empty.`;
      await expect(move('main')).rejects.toThrow(refusal);
      await expect(move('main')).rejects.toThrow(`remove it (${former.removal}), and try again`);
      await expect(lrs.stores?.find('acme')).resolves.toMatchObject({ server: 'second', state: 'closed' });
    });

    async function inDatabase<T>(server: string, work: (session: ReadSession) => Promise<T>): Promise<T> {
      const db = await connect(placeOfStore(configuration, stored(server)).database);
      try {
        return await db.read(work);
      } finally {
        await db.close();
      }
    }

    async function isThere(server: string): Promise<boolean> {
      const { base, database } = placeOfStore(configuration, stored(server));
      return siblingExists(base, database);
    }

    async function register(place: Pick<Store, 'server' | 'state'>): Promise<void> {
      const db = await connect(first.options);
      await db.write((session) => updatePlace(session, { name: 'acme', ...place }));
      await db.close();
    }

    const stored = (server: string) =>
      ({ name: 'acme', server, state: 'closed', settings: {}, created: 0 }) as const;
  },
);
