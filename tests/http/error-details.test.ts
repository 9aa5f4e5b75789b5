import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientRequest } from '../support/gateway-events.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';
import { newStatement, openStatementClient, type StatementClient } from '../support/statement-client.ts';

let client: StatementClient;
let all: LrsClient;

beforeAll(async () => {
  client = await openStatementClient();
  all = await connect(client.entrance);
});
afterAll(() => client?.entrance.close());

const state = { path: '/xapi/activities/state' };
const agent = encodeURIComponent('{"mbox":"mailto:ann@example.org"}');
const profile = { path: '/xapi/agents/profile', query: `profileId=p&agent=${agent}` };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** The call, the place and the section of the rule that it breaks. */
const broken: [string, string, Partial<ClientRequest>, string, string][] = [
  ['an unknown parameter', 'GET', { query: 'agnt=x' }, 'agnt', 'Communication 3.2'],
  ['a repeated parameter', 'GET', { query: 'limit=1&limit=1' }, 'limit', 'Communication 3.2'],
  ['a parameter of the wrong kind', 'GET', { query: 'limit=x' }, 'limit', 'Communication 2.1.3'],
  [
    'parameters that do not go together',
    'GET',
    { query: `limit=1&statementId=${crypto.randomUUID()}` },
    'limit',
    'Communication 2.1.3',
  ],
  ['a missing statementId', 'PUT', { body: '{}' }, 'statementId', 'Communication 2.1.1'],
  [
    'a missing parameter of a document',
    'GET',
    { ...state, query: `agent=${agent}` },
    'activityId',
    'Communication 2.3',
  ],
  ['a missing agent', 'GET', { path: '/xapi/agents' }, 'agent', 'Communication 2.4'],
  ['a missing activity', 'GET', { path: '/xapi/activities' }, 'activityId', 'Communication 2.5'],
  ['a PUT without condition', 'PUT', { ...profile, body: '{}' }, 'If-Match', 'Communication 3.1'],
  [
    'a condition that fails',
    'PUT',
    { ...profile, body: '{}', headers: { 'if-match': '"x"' } },
    'If-Match',
    'Communication 3.1',
  ],
  [
    'a posted document that is no object',
    'POST',
    { ...profile, body: '[]' },
    'document',
    'Communication 2.2',
  ],
  ['a missing body', 'POST', {}, 'body', 'Communication 2.1'],
  [
    'another type',
    'POST',
    { body: 'x', headers: { 'content-type': 'text/plain' } },
    'Content-Type',
    'Communication 1.5',
  ],
  [
    'a version that is not spoken',
    'GET',
    { headers: { 'x-experience-api-version': '9' } },
    'X-Experience-API-Version',
    'Communication 3.3',
  ],
  [
    'a form without content',
    'POST',
    { query: 'method=PUT', body: 'statementId=x', headers: form },
    'content',
    'Communication 1.3',
  ],
];

describe('an error of the xAPI', () => {
  it.each(broken)(
    'names the place and the section of the rule for %s',
    async (_, method, request, path, section) => {
      const answer = await all.xapi(method, request);
      expect(parsed(answer)).toMatchObject({
        error: expect.stringContaining(`(xAPI 1.0.3 ${section}).`),
        details: [{ path, message: expect.any(String), section: `xAPI 1.0.3 ${section}` }],
      });
    },
  );

  it('does so for a statement that is stored already and differs', async () => {
    const statement = newStatement();
    await client.post(statement);
    const answer = await all.xapi('POST', { body: JSON.stringify(newStatement({ id: statement.id })) });
    expect([answer.status, parsed(answer)]).toMatchObject([
      409,
      { details: [{ path: 'id', section: 'xAPI 1.0.3 Data 2.3.1' }] },
    ]);
  });
});

describe('an error of the administration', () => {
  it('names each place and what is wrong there, and no section', async () => {
    const answer = await all.admin('POST', '/admin/account/create', { username: 7 });
    expect(parsed(answer)).toMatchObject({
      error: expect.stringMatching(/username must be a string; password is required/),
      details: [
        { path: 'username', message: 'must be a string' },
        { path: 'password', message: 'is required' },
      ],
    });
  });
});
