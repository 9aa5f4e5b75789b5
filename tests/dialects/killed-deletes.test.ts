import mariadb, { type Connection } from 'mariadb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MariadbConnection } from '../../lib/db/dialects/mariadb/connection.ts';
import { giveWay } from '../../lib/in-turns.ts';
import { serverEngines, type TestDatabase } from '../support/engines.ts';

const engine = serverEngines.find(({ dialect }) => dialect === 'mariadb');
const table = { name: 'abandoned_statement', columns: { position: 'integer' } } as const;
/** Of so many kills, each a moment later than the one before, some twenty meet a DELETE before it begins. */
const attempts = 600;
const moments = 25;

describe.runIf(engine !== undefined)('a DELETE on MariaDB that is killed', () => {
  let database: TestDatabase;
  let driver: Connection;
  let administrator: Connection;

  beforeEach(async () => {
    if (engine === undefined) throw new Error('There is no server.');
    database = await engine.create();
    const { options } = database;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    const { dbHost: host, dbPort: port, dbUser: user, dbPassword: password, dbName } = options;
    const login = { host, user, ...(port && { port }), ...(password !== undefined && { password }) };
    driver = await mariadb.createConnection({ ...login, database: dbName, bigIntAsNumber: true });
    administrator = await mariadb.createConnection(login);
  });
  afterEach(async () => {
    await Promise.all([driver.end(), administrator.end()]);
    await database.remove();
  });

  it.each(['position > :least', 'position > 0'])(
    'where %s fails or has removed its rows',
    async (condition) => {
      const connection = new MariadbConnection(driver);
      await connection.insert(
        table,
        Array.from({ length: 200 }, (_, index) => [index + 1]),
      );
      const sql = `DELETE FROM abandoned_statement WHERE ${condition}`;
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        await connection.begin();
        const deleting = connection.execute(sql, condition.includes(':') ? { least: 0 } : {});
        const succeeded = deleting.then(
          () => true,
          () => false,
        );
        for (let moment = 0; moment < attempt % moments; moment += 1) await giveWay();
        await administrator.query(`KILL QUERY ${driver.threadId}`);
        if (await succeeded) {
          const [left] = await connection.select<{ n: number }>(
            'SELECT COUNT(*) AS n FROM abandoned_statement',
          );
          expect(Number(left?.n), `rows left by attempt ${attempt}`).toBe(0);
        }
        await connection.rollback();
      }
    },
  );
});
