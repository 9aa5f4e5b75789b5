import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { firstAccount } from '../support/entrance.ts';
import { type Functions, functionOf, loadFunctions } from '../support/functions.ts';
import { clientAnswer, gatewayEvents } from '../support/gateway-events.ts';
import { connect, parsed } from '../support/lrs-client.ts';
import { newStatement } from '../support/statement-client.ts';

let functions: Functions;

beforeAll(async () => {
  vi.stubEnv('LRS_DB_NAME', ':memory:');
  vi.stubEnv('LRS_LOG_LEVEL', 'OFF');
  vi.stubEnv('LRS_ADMIN_USER_DEFAULT', firstAccount.username);
  vi.stubEnv('LRS_ADMIN_PASS_DEFAULT', firstAccount.password);
  vi.stubEnv('LRS_ENABLE_REACTIONS', 'true');
  vi.stubEnv('LRS_FEED_WRITE_MILLISECONDS', '10000');
  functions = await loadFunctions();
});
afterAll(() => vi.unstubAllEnvs());

it('a function that stores a trigger has the reaction react before it answers, if a setting says so', async () => {
  const eventOf = gatewayEvents['HTTP API event (v2)'];
  if (eventOf === undefined) throw new Error('there is no such event');
  const client = await connect({
    stage: '',
    close: async () => {},
    send: async (request) => clientAnswer(await functions[functionOf(request.path)](eventOf(request))),
  });
  const verb = { id: 'https://example.org/verbs/watched' };
  const ruleset = {
    identityPaths: [],
    conditions: { seen: { path: ['verb', 'id'], op: 'eq', val: verb.id } },
    template: {
      actor: { $templatePath: ['seen', 'actor'] },
      verb: { id: 'https://example.org/verbs/noticed' },
      object: { objectType: 'StatementRef', id: { $templatePath: ['seen', 'id'] } },
    },
  };
  const created = await client.admin('POST', '/admin/reaction', { title: 'notice', ruleset, active: true });
  expect([created.status, parsed(created)]).toMatchObject([200, { reactionId: expect.any(String) }]);
  await client.xapi('POST', { body: JSON.stringify([newStatement({ verb })]) });
  const page = parsed(await client.xapi('GET', { query: 'verb=https://example.org/verbs/noticed' }));
  expect(page).toMatchObject({ statements: [{ verb: { id: 'https://example.org/verbs/noticed' } }] });
});
