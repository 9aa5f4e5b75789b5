import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statementHandlers } from '../../functions/xapi/statements.ts';
import { callHandler } from '../support/call-handler.ts';
import { maxBodyBytes } from '../support/entrance.ts';
import type { ClientRequest } from '../support/gateway-events.ts';
import { connect } from '../support/lrs-client.ts';
import { standInLrs } from '../support/stand-in-lrs.ts';
import { newStatement, openStatementClient, type StatementClient } from '../support/statement-client.ts';

const header = 'x-experience-api-consistent-through';

let client: StatementClient;

beforeAll(async () => {
  client = await openStatementClient();
});
afterAll(() => client?.entrance.close());

const refused: [string, number, string, Partial<ClientRequest>][] = [
  ['a bad version', 400, 'GET', { headers: { 'x-experience-api-version': '0.9' } }],
  ['a form that is none', 400, 'POST', { query: 'method=PUT', body: '{}' }],
  ['unknown credentials', 401, 'GET', { headers: { authorization: 'Basic eDp5' } }],
  ['another origin', 403, 'GET', { headers: { origin: 'https://evil.example' } }],
  ['another method', 405, 'DELETE', {}],
  ['a body that is too large', 413, 'POST', { body: 'x'.repeat(maxBodyBytes + 1) }],
];

describe('X-Experience-API-Consistent-Through (xAPI 1.0.3 Communication 2.1.3)', () => {
  it.each(refused)('is on the refusal of %s', async (_, status, method, request) => {
    const statement = newStatement();
    await client.post(statement);
    const answer = await client.xapi(method, request);
    expect(answer.status).toBe(status);
    const { stored } = JSON.parse((await client.get({ statementId: statement.id })).body.toString());
    expect(Date.parse(answer.headers[header] ?? '')).toBeGreaterThanOrEqual(Date.parse(stored));
  });

  it('is on the refusal of a key pair without the scope', async () => {
    const stranger = await connect(client.entrance, ['state']);
    const answer = await stranger.xapi('GET');
    expect([answer.status, Date.parse(answer.headers[header] ?? '')]).toEqual([403, expect.any(Number)]);
    expect(answer.headers[header]).toBeDefined();
  });

  it('is on the answer to OPTIONS, and on no other resource', async () => {
    expect((await client.xapi('OPTIONS')).headers[header]).toBeDefined();
    expect((await client.xapi('OPTIONS', { path: '/xapi/agents' })).headers[header]).toBeUndefined();
    expect((await client.xapi('DELETE', { path: '/xapi/agents' })).headers[header]).toBeUndefined();
  });

  it('is on a refusal what this process knows, without a question to the database', async () => {
    const lrs = await standInLrs()();
    const statements = { ...lrs.statements, consistentThrough: () => Promise.reject(new Error('down')) };
    const { getStatements } = statementHandlers(standInLrs({}, { statements }));
    const answer = await callHandler(getStatements, { headers: { 'x-experience-api-version': '1.0.3' } });
    expect([answer.status, answer.headers[header]]).toEqual([401, '1970-01-01T00:00:01.000000Z']);
  });
});
