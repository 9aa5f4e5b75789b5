import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseEnv } from '../support/admin-client.ts';
import { sharedEngines, type TestDatabase } from '../support/engines.ts';
import { type Entrance, firstAccount, serverEntrance } from '../support/entrance.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';
import { changeSchema } from '../support/schema-change.ts';
import { newStatement } from '../support/statement-client.ts';

const lost = ['admin_account', 'statement'];

/*
 * Tables vanish under a running server, so that its queries fail in the database itself. That neither these answers nor the
 * log of them show SQL, values or a stack is for the search over everything that servers say (tests/support/disclosure).
 */
describe.each(sharedEngines)('when queries fail, on $name', ({ create }) => {
  let database: TestDatabase;
  let entrance: Entrance;
  let client: LrsClient;

  beforeAll(async () => {
    database = await create();
    entrance = await serverEntrance('http', databaseEnv(database.options));
    client = await connect(entrance);
    for (const table of lost) await rename(table, `lost_${table}`);
  });
  afterAll(async () => {
    await entrance?.close();
    // The database is used again by other tests of this file.
    for (const table of lost) await rename(`lost_${table}`, table);
    await database?.remove();
  });

  function rename(table: string, name: string): Promise<void> {
    return database.db.write((session) => changeSchema(session, `ALTER TABLE ${table} RENAME TO ${name}`));
  }

  const failure = { error: expect.stringMatching(/the reason is in its log/), code: 'internal' };

  it('a login says so and no more', async () => {
    const answer = await entrance.send({
      method: 'POST',
      path: '/admin/account/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(firstAccount),
    });
    expect([answer.status, parsed(answer)]).toEqual([500, failure]);
  });

  it.each(['GET', 'POST'])('%s of statements says so and no more', async (method) => {
    const body = method === 'POST' ? { body: JSON.stringify(newStatement()) } : {};
    const answer = await client.xapi(method, body);
    expect([answer.status, parsed(answer)]).toEqual([500, failure]);
  });
});
