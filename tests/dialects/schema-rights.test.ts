import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { openFunctionDatabase } from '../../lib/db/function-database.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { createLogger } from '../../lib/logger.ts';
import type { Finding } from '../../scripts/doctor/finding.ts';
import { schemaRights } from '../../scripts/doctor/schema-rights.ts';
import { administer, serverEngines, type TestPlace } from '../support/engines.ts';

describe.each(serverEngines)('the rights to change the schema on $name', (engine) => {
  const isPostgres = engine.family === 'postgres';
  const password = 'Tr1cky-pass';
  let place: TestPlace;
  let options: ServerOptions;
  let user: string;

  beforeAll(async () => {
    place = await engine.reserve();
    options = place.options as ServerOptions;
    user = `u${options.dbName.slice(-20)}`;
    const db = await openDatabase(options, createLogger('OFF'));
    await serverSecret(db);
    if (isPostgres) {
      for (const sql of [
        `CREATE ROLE ${user} LOGIN PASSWORD '${password}'`,
        `GRANT USAGE ON SCHEMA public TO ${user}`,
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${user}`,
      ]) {
        await db.write((session) => session.execute(sql));
      }
    } else {
      await administer(options, `CREATE USER ${user} IDENTIFIED BY '${password}'`);
      await administer(options, `GRANT SELECT, INSERT, UPDATE, DELETE ON ${options.dbName}.* TO ${user}`);
    }
    await db.close();
  });
  afterAll(async () => {
    if (!isPostgres) await administer(options, `DROP USER ${user}`);
    await place.remove();
    if (isPostgres) await administer(options, `DROP ROLE ${user}`);
  });

  async function rightsOf(login: Partial<ServerOptions>): Promise<readonly Finding[]> {
    const { db } = await openFunctionDatabase({ ...options, ...login }, createLogger('OFF'));
    try {
      return await db.read(schemaRights);
    } finally {
      await db.close();
    }
  }

  const restricted = () => rightsOf({ dbUser: user, dbPassword: password });

  it('are there for the user that has made the tables', async () => {
    expect(await rightsOf({})).toMatchObject([{ check: 'schema privileges', outcome: 'ok' }]);
  });

  it('are missed of a user that may only read and write, and found when they are granted', async () => {
    expect(await restricted()).toMatchObject([
      isPostgres
        ? { outcome: 'failed', message: expect.stringContaining('GRANT CREATE ON SCHEMA public') }
        : { outcome: 'warning', message: expect.stringContaining('lacks ALTER, CREATE, CREATE VIEW, DROP') },
    ]);
    if (!isPostgres) {
      const pattern = `\`${options.dbName.replaceAll('_', '\\_')}\``;
      await administer(options, `GRANT ALL ON ${pattern}.* TO ${user}`);
      expect(await restricted()).toMatchObject([{ outcome: 'ok' }]);
      return;
    }
    const db = await openDatabase(options, createLogger('OFF'));
    await db.write((session) => session.execute(`GRANT CREATE ON SCHEMA public TO ${user}`));
    await db.close();
    expect(await restricted()).toMatchObject([
      { outcome: 'warning', message: expect.stringContaining('does not own') },
    ]);
  });
});
