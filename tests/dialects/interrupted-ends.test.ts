import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import { MariadbConnection } from '../../lib/db/dialects/mariadb/connection.ts';
import { PostgresConnection } from '../../lib/db/dialects/postgres/connection.ts';
import type { Database } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { serverEngines, type TestDatabase } from '../support/engines.ts';

const kinds = { postgres: PostgresConnection, mariadb: MariadbConnection };
/** As after KILL QUERY on MariaDB, and when a connection is cut. */
const interrupted = () =>
  Object.assign(new Error('Query execution was interrupted.'), { errno: 1317, code: 'ECONNRESET' });

describe.each(serverEngines)('a transaction on $name whose end is interrupted', (engine) => {
  const kind = engine.family === 'postgres' ? kinds.postgres : kinds.mariadb;
  let database: TestDatabase;
  let single: Database;

  beforeEach(async () => {
    database = await engine.create();
    const { options } = database;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    const pool = { ...options.pool, maximumSize: 1 };
    single = await openDatabase({ ...options, pool }, createLogger('OFF'));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await single.close();
    await database.remove();
  });

  const ends = (['rollback', 'commit'] as const).flatMap((end) => [
    { end, where: 'a pool' },
    { end, where: 'a single connection' },
  ]);
  it.each(ends)(
    'by $end has its connection closed, which does not keep the write lock, on $where',
    async ({ end, where }) => {
      const db = where === 'a pool' ? database.db : single;
      const connectionOf = () =>
        db.write((session) => session.select(`SELECT ${engine.connectionId} AS id`), { readsFirst: true });
      const before = await connectionOf();
      vi.spyOn(kind.prototype, end).mockRejectedValueOnce(interrupted());
      const writing = db.write(async () => {
        if (end === 'rollback') throw new Error('The id is taken.');
      });
      await expect(writing).rejects.toThrow(
        end === 'rollback' ? 'The id is taken.' : 'may or may not be stored',
      );
      expect(await connectionOf()).not.toEqual(before);
      // Another process gets the lock, too.
      const other = await database.openAgain();
      await other.write(async () => {});
    },
  );
});
