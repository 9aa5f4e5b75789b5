import mariadb, { type Connection } from 'mariadb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batchSql } from '../../lib/db/dialects/mariadb/batch-sql.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import type { ColumnKind } from '../../lib/db/table-shape.ts';
import * as mentions from '../../lib/db/tables/mentions.ts';
import * as statements from '../../lib/db/tables/statements.ts';
import * as statistics from '../../lib/db/tables/statistics.ts';
import { rowsOf, type TableDefinition } from '../../lib/db/tables/table.ts';
import type { InsertRow } from '../../lib/db/types.ts';
import { serverEngines, type TestDatabase } from '../support/engines.ts';

const tables = [mentions, statements, statistics].flatMap((subject) =>
  Object.values<TableDefinition>(subject),
);

const values: Readonly<Record<ColumnKind, InsertRow[number]>> = {
  position: 0,
  integer: 1,
  uuid: '00000000-0000-4000-8000-000000000000',
  hex: 'ab'.repeat(16),
  key: 'ab'.repeat(16),
  text: 'text',
  document: '{}',
  content: Buffer.from('content'),
};

/** The number of MariaDB's error that a column cannot be null. */
const isNull = 1048;

describe.each(serverEngines.filter(({ family }) => family === 'mariadb'))('on $name', (engine) => {
  let database: TestDatabase;
  let connection: Connection;

  beforeEach(async () => {
    database = await engine.create();
    const {
      dbHost: host,
      dbPort: port,
      dbUser: user,
      dbPassword: password,
      dbName,
    } = database.options as ServerOptions;
    connection = await mariadb.createConnection({
      ...{ host, user, database: dbName, bigIntAsNumber: true },
      ...(port !== undefined && { port }),
      ...(password !== undefined && { password }),
    });
  });

  afterEach(async () => {
    await connection.end();
    await database.remove();
  });

  it.each(tables.map(({ name }, index) => [name, index]))(
    'no row of a batch reaches the table %s once its transaction is gone',
    async (_, index) => {
      const definition = tables[index];
      if (definition === undefined) throw new Error('There is no such table.');
      const shape = rowsOf(definition);
      const row = Object.values(shape.columns).map((kind) => values[kind]);
      const { sql, rows } = batchSql(() => "'now'").insert(shape, [row], false);
      for (const first of ['NULL', '5']) {
        await connection.query(`SET @lrs_first_position = ${first}, @lrs_rows_done = 0`);
        await expect(connection.execute(sql, rows[0])).rejects.toMatchObject({ errno: isNull });
      }
    },
  );
});
