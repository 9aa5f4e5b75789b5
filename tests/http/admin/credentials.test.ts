import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError, expectJson } from '../../support/admin-client.ts';
import { parsed, stringMember } from '../../support/lrs-client.ts';

/* The titles are the sentences of the service specification. */

const hex = expect.stringMatching(/^[0-9a-f]{64}$/);

interface Pair {
  readonly 'api-key': string;
  readonly 'secret-key': string;
}

describe.each(administrations)('credentials, on $name', ({ open, shared }) => {
  let lrs: Administration;

  beforeAll(async () => {
    lrs = await open();
  });
  afterAll(() => lrs?.close());

  const newPair = async (token: string, body: object = { scopes: ['all'] }): Promise<Pair> => {
    const made = await lrs.call('POST', '/admin/creds', { token, body });
    return {
      'api-key': stringMember(made, 'api-key'),
      'secret-key': stringMember(made, 'secret-key'),
    };
  };
  const read = async (pair: Pair, at: Administration = lrs) => {
    const authorization = `Basic ${btoa(`${pair['api-key']}:${pair['secret-key']}`)}`;
    const headers = { authorization, 'x-experience-api-version': '1.0.3' };
    return (await at.call('GET', '/xapi/statements', { headers })).status;
  };

  it('POST: Creates a credential pair with those scopes', async () => {
    const token = await lrs.firstToken();
    const body = { scopes: ['statements/read', 'state'], label: 'LMS' };
    const made = await lrs.call('POST', '/admin/creds', { token, body });
    expectJson(made, { 'api-key': hex, 'secret-key': hex, scopes: ['statements/read', 'state'] });
    expect(stringMember(made, 'api-key')).not.toBe(stringMember(made, 'secret-key'));
  });

  it('The `Authorization` header carries a Base64 encoding of the colon-separated pair `<api-key>:<secret-key>`.', async () => {
    const pair = await newPair(await lrs.firstToken());
    expect(await read(pair)).toBe(200);
    expect(await read({ ...pair, 'secret-key': pair['api-key'] })).toBe(401);
  });

  it('PUT: Replaces the scopes of the existing pair', async () => {
    const token = await lrs.firstToken();
    const pair = await newPair(token, { scopes: ['all'], label: 'before' });
    expect(await read(pair)).toBe(200);
    const answer = await lrs.call('PUT', '/admin/creds', { token, body: { ...pair, scopes: ['state'] } });
    expectJson(answer, { ...pair, scopes: ['state'], label: null });
    expect(await read(pair)).toBe(403);
  });

  it('GET: All credential pairs with their scopes for the account named by the JWT', async () => {
    const { token } = await lrs.newAccount();
    expectJson(await lrs.call('GET', '/admin/creds', { token }), []);
    const one = await newPair(token, { scopes: [], label: 'ä' });
    const two = await newPair(token, { scopes: ['all/read'] });
    const listed = await lrs.call('GET', '/admin/creds', { token });
    const id = expect.any(String);
    expect(parsed(listed)).toHaveLength(2);
    expectJson(
      listed,
      expect.arrayContaining([
        { id, ...one, scopes: [], label: 'ä' },
        { id, ...two, scopes: ['all/read'], label: null },
      ]),
    );
  });

  it('Each pair belongs to the admin account named by the JWT that created it: another account neither sees, changes nor deletes it.', async () => {
    const [owner, other] = [await lrs.newAccount(), await lrs.newAccount()];
    const pair = await newPair(owner.token);
    expectJson(await lrs.call('GET', '/admin/creds', { token: other.token }), []);
    const change = { token: other.token, body: { ...pair, scopes: [] } };
    expectError(await lrs.call('PUT', '/admin/creds', change), 404);
    expectError(await lrs.call('DELETE', '/admin/creds', { token: other.token, body: pair }), 404);
    expect(await read(pair)).toBe(200);
  });

  it('DELETE: Deletes the pair and its scopes', async () => {
    const { token } = await lrs.newAccount();
    const pair = await newPair(token);
    expect(await read(pair)).toBe(200);
    expectJson(await lrs.call('DELETE', '/admin/creds', { token, body: pair }), pair);
    expect(await read(pair)).toBe(401);
    expectJson(await lrs.call('GET', '/admin/creds', { token }), []);
    expectError(await lrs.call('DELETE', '/admin/creds', { token, body: pair }), 404);
  });

  it('An account that is deleted takes its pairs with it.', async () => {
    const { id, token } = await lrs.newAccount();
    const pair = await newPair(token);
    expect(await read(pair)).toBe(200);
    const first = await lrs.firstToken();
    await lrs.call('DELETE', '/admin/account', { token: first, body: { 'account-id': id } });
    expect(await read(pair)).toBe(401);
  });

  it.each([
    ['POST', {}],
    ['POST', { scopes: 'all' }],
    ['POST', { scopes: ['everything'] }],
    ['POST', { scopes: ['all', 'all'] }],
    ['POST', { scopes: ['all'], label: 7 }],
    ['POST', { scopes: ['all'], label: 'x'.repeat(1001) }],
    ['PUT', { scopes: ['all'] }],
    ['DELETE', { 'api-key': 'only' }],
  ])('An invalid body gives 400: %s %j', async (method, body) => {
    expectError(await lrs.call(method, '/admin/creds', { token: await lrs.firstToken(), body }), 400);
  });

  if (shared)
    it('Other processes notice deletion and changes of scopes within a second.', async () => {
      const elsewhere = await lrs.elsewhere();
      const token = await lrs.firstToken();
      const [deleted, changed] = [await newPair(token), await newPair(token)];
      expect([await read(deleted, elsewhere), await read(changed, elsewhere)]).toEqual([200, 200]);
      await lrs.call('DELETE', '/admin/creds', { token, body: deleted });
      await lrs.call('PUT', '/admin/creds', { token, body: { ...changed, scopes: [] } });
      await sleep(1000);
      expect([await read(deleted, elsewhere), await read(changed, elsewhere)]).toEqual([401, 403]);
    });
});
