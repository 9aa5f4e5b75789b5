import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Administration } from '../support/admin-client.ts';
import { administrations } from '../support/admin-client.ts';
import { parsed } from '../support/lrs-client.ts';
import { newStatement } from '../support/statement-client.ts';

const version = { 'x-experience-api-version': '1.0.3' };
const path = '/xapi/statements';

describe.each(administrations)('a login with credentialID, on $name', ({ open }) => {
  let lrs: Administration;
  let token: string;
  let id: string;
  beforeAll(async () => {
    lrs = await open({ LRS_AUTH_BY_CRED_ID: 'true' });
    token = await lrs.firstToken();
    await lrs.call('POST', '/admin/creds', { token, body: { scopes: ['all'] } });
    const [pair] = parsed(await lrs.call('GET', '/admin/creds', { token })) as { id: string }[];
    id = pair?.id ?? '';
  });
  afterAll(() => lrs?.close());

  const call = (
    method: string,
    credential: string,
    request: { token?: string; body?: unknown; query?: string } = {},
  ) =>
    lrs.call(method, path, {
      token,
      headers: version,
      ...request,
      query: `credentialID=${credential}${request.query === undefined ? '' : `&${request.query}`}`,
    });

  it('stores and reads as the key pair, and its pages have no such parameter', async () => {
    const [first, second] = [newStatement(), newStatement()];
    expect((await call('POST', id, { body: [first, second] })).status).toBe(200);
    const read = await call('GET', id, { query: 'limit=1' });
    expect(read.status).toBe(200);
    const { statements, more } = parsed(read) as { statements: object[]; more: string };
    expect(statements).toEqual([expect.objectContaining({ authority: expect.objectContaining({}) })]);
    expect(JSON.stringify(statements[0])).toContain(id);
    expect(more).not.toContain('credentialID');
  });

  it('is in the audit trail', async () => {
    await call('GET', id, { query: 'limit=2' });
    const trail = await lrs.call('GET', '/admin/audit', { token });
    expect(trail.body.toString()).toContain(path);
  });

  it('is refused without a good token, and with the pair of another account', async () => {
    const other = await lrs.newAccount();
    expect((await call('GET', id, { token: other.token })).status).toBe(401);
    expect((await call('GET', id, { token: 'wrong' })).status).toBe(401);
    expect((await call('GET', 'no-such-id')).status).toBe(401);
    const anonymous = await lrs.call('GET', path, { headers: version, query: `credentialID=${id}` });
    expect(anonymous.status).toBe(401);
  });
});

it('a login with credentialID is refused where authByCredId is off', async () => {
  const lrs = await administrations[0]?.open();
  try {
    const token = (await lrs?.firstToken()) ?? '';
    const answer = await lrs?.call('GET', path, { token, headers: version, query: 'credentialID=x' });
    expect(answer?.status).toBe(401);
  } finally {
    await lrs?.close();
  }
});
