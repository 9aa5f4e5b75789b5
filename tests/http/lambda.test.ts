import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { firstAccount } from '../support/entrance.ts';
import { type Functions, functionOf, loadFunctions } from '../support/functions.ts';
import { clientAnswer, gatewayEvents } from '../support/gateway-events.ts';
import { connect } from '../support/lrs-client.ts';
import { newStatement } from '../support/statement-client.ts';

let functions: Functions;

beforeAll(async () => {
  vi.stubEnv('LRS_DB_NAME', ':memory:');
  vi.stubEnv('LRS_LOG_LEVEL', 'OFF');
  vi.stubEnv('LRS_ADMIN_USER_DEFAULT', firstAccount.username);
  vi.stubEnv('LRS_ADMIN_PASS_DEFAULT', firstAccount.password);
  functions = await loadFunctions();
});
afterAll(() => vi.unstubAllEnvs());

describe('the functions for Lambda', () => {
  it('answer a page that is large as a text in base64, which always fits', async () => {
    const eventOf = gatewayEvents['HTTP API event (v2)'];
    if (eventOf === undefined) throw new Error('there is no such event');
    const encoded: (boolean | undefined)[] = [];
    const client = await connect({
      stage: '',
      close: async () => {},
      send: async (request) => {
        const result = await functions[functionOf(request.path)](eventOf(request));
        encoded.push(result.isBase64Encoded);
        return clientAnswer(result);
      },
    });
    const response = '"'.repeat(600_000);
    const sent = [1, 2, 3].map(() => newStatement({ result: { response } }));
    await client.xapi('POST', { body: JSON.stringify(sent) });
    const page = await client.xapi('GET');
    expect(page.body.length).toBeGreaterThan(3_600_000);
    expect(JSON.parse(page.body.toString()).statements).toHaveLength(3);
    expect(encoded).toEqual([false, false, false, true]);
  });
});
