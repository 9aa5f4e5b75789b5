import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { tokenOf } from '../../support/admin-client.ts';
import { passSeconds } from '../../support/clock.ts';
import { firstAccount, type ServerEntrance, serverEntrance } from '../../support/entrance.ts';
import { parsed, stringMember } from '../../support/lrs-client.ts';
import { newStatement } from '../../support/statement-client.ts';

/** More bytes than a connection takes while nobody reads: 15 requests of 50 statements of 20 KB. */
const requests = 15;
const statements = 50;
const response = 'x'.repeat(20_000);

interface Account {
  readonly id: string;
  readonly token: string;
}

describe('a download that goes on when', () => {
  let lrs: ServerEntrance;
  let operator: string;

  beforeAll(async () => {
    lrs = await serverEntrance('http', { LRS_MAX_BODY_BYTES: '10000000' });
    operator = tokenOf(await call('POST', '/admin/account/login', { body: firstAccount }));
    const pair = await call('POST', '/admin/creds', { token: operator, body: { scopes: ['all'] } });
    const basic = `Basic ${btoa(`${stringMember(pair, 'api-key')}:${stringMember(pair, 'secret-key')}`)}`;
    const body = Array.from({ length: statements }, () => newStatement({ result: { response } }));
    for (let request = 0; request < requests; request += 1) {
      const batch = body.map((statement) => ({ ...statement, id: crypto.randomUUID() }));
      expect((await call('POST', '/xapi/statements', { basic, body: batch })).status).toBe(200);
    }
  });
  afterEach(() => vi.useRealTimers());
  afterAll(() => lrs?.close());

  const call = (
    method: string,
    path: string,
    { token, basic, body }: { token?: string; basic?: string; body?: object } = {},
  ) => {
    const authorization = basic ?? (token === undefined ? undefined : `Bearer ${token}`);
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(authorization !== undefined && { authorization }),
      'x-experience-api-version': '1.0.3',
    };
    return lrs.send({ method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  };

  const newAccount = async (): Promise<Account> => {
    const body = { username: `admin-${crypto.randomUUID()}`, password: 'N3w_and_longer?' };
    const made = await call('POST', '/admin/account/create', { token: operator, body });
    return { id: stringMember(made, 'account-id'), token: tokenOf(made) };
  };

  /** A file of which the client has taken nothing yet. */
  const begin = async (address: string, token?: string): Promise<IncomingMessage> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const [message] = await once(get(`${lrs.url}${address}`, { headers }), 'response');
    expect(message.statusCode).toBe(200);
    return message;
  };
  const begun = async ({ token }: Account): Promise<IncomingMessage[]> => {
    const once = tokenOf(await call('GET', '/admin/csv/auth', { token }));
    const another = tokenOf(await call('GET', '/admin/csv/auth', { token }));
    return [
      await begin('/admin/csv', token),
      await begin(`/admin/csv?token=${once}`),
      await begin(`/admin/export?gzip=false&token=${another}`),
    ];
  };
  /** Whether the client gets the end of the file. */
  const isWhole = async (message: IncomingMessage): Promise<boolean> => {
    message.on('error', () => {}).resume();
    await new Promise((resolve) => message.once('close', resolve));
    return message.complete;
  };

  const removal = ({ id }: Account) =>
    call('DELETE', '/admin/account', { token: operator, body: { 'account-id': id } });
  const logout = ({ token }: Account) => call('POST', '/admin/account/logout', { token, body: {} });

  it.each([
    ['its account is deleted', removal],
    ['its account logs out', logout],
  ])('%s is broken off, and the audit trail has it as interrupted', async (_, revoke) => {
    const account = await newAccount();
    const downloads = await begun(account);
    expect((await revoke(account)).status).toBe(200);
    passSeconds(5);
    expect(await Promise.all(downloads.map(isWhole))).toEqual([false, false, false]);
    vi.useRealTimers();
    const { events } = parsed(await call('GET', '/admin/audit', { token: operator })) as {
      readonly events: readonly { readonly 'account-id': string; readonly outcome: string }[];
    };
    const outcomes = events
      .filter((event) => event['account-id'] === account.id)
      .map((event) => event.outcome);
    expect(outcomes.filter((outcome) => outcome === 'interrupted')).toHaveLength(3);
  });

  it('its token expires comes to its end', async () => {
    const downloads = await begun(await newAccount());
    passSeconds(2 * 3600);
    expect(await Promise.all(downloads.map(isWhole))).toEqual([true, true, true]);
  });
});
