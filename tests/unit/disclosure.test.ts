import { describe, expect, it } from 'vitest';
import { Listener } from '../support/disclosure/exchange.ts';
import { disclosures } from '../support/disclosure/verdict.ts';
import type { ClientAnswer } from '../support/gateway-events.ts';

/* The search through everything that servers say while the tests run is only worth something if it finds what is there. */

const password = 'Tr1cky_pass!';
const claims = (account: string) => Buffer.from(JSON.stringify({ acc: account })).toString('base64url');
const tokenOf = (account: string) => `eyJhbGciOiJIUzI1NiJ9.${claims(account)}.signature`;
const secretKey = '77aa5b0c9d8e1f2031425364758697a8b9cadbecfd0e1f203142536475869700';

const answer = (status: number, body: unknown): ClientAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

const login = {
  method: 'POST',
  path: '/admin/account/login',
  body: JSON.stringify({ username: 'opsadmin', password }),
};
const pairsOf = (account: string) => ({
  method: 'GET',
  path: '/admin/creds',
  headers: { authorization: `Bearer ${tokenOf(account)}` },
});
const pairs = [{ 'secret-key': secretKey }];
const statements = { method: 'GET', path: '/xapi/statements' };

/** What a listener hears that has heard a login and a look at key pairs. */
function heard(request: Parameters<Listener['hear']>[0], body: unknown, status = 200): string[] {
  const listener = new Listener();
  expect(listener.hear(login, answer(200, { 'json-web-token': tokenOf('a') }))).toEqual([]);
  expect(listener.hear(pairsOf('a'), answer(200, pairs))).toEqual([]);
  return listener.hear(request, answer(status, body));
}

describe('an answer', () => {
  it('may give a token to whoever asks for one, and key pairs to their account', () => {
    expect(heard(login, { 'json-web-token': tokenOf('a') })).toEqual([]);
    expect(heard(pairsOf('a'), pairs)).toEqual([]);
  });

  it.each<[string, Parameters<typeof heard>]>([
    ['a password', [login, { error: `${password} is wrong` }, 401]],
    ['a token', [statements, { error: tokenOf('a') }, 401]],
    ['a secret key', [pairsOf('b'), pairs]],
    ['a secret key', [statements, { error: secretKey }, 400]],
  ])('must not show %s', (kind, call) => {
    expect(heard(...call)).toEqual([kind]);
  });

  it.each([
    'near SELECT id FROM account WHERE',
    'INSERT INTO account VALUES',
    'SQLITE_BUSY: database is locked',
    'SequelizeDatabaseError',
    'Error: x\n    at open (/app/lib/lrs.ts:12:3)',
  ])('must not show %j', (error) => {
    expect(heard(statements, { error }, 500)).toHaveLength(1);
  });

  it('may repeat what the client has sent', () => {
    const error = 'There is nothing at /xapi/DELETE FROM x.';
    expect(heard({ method: 'GET', path: '/xapi/DELETE FROM x' }, { error }, 404)).toEqual([]);
  });
});

describe('a log', () => {
  const secret = { kind: 'secret', text: `a password\n${password}` };
  const record = (...lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
  const printed = (text: string) => ({ kind: 'printed', text });

  it('must not show a secret, even one that is known only later', () => {
    expect(disclosures([record(printed(`login with ${password}`), secret)])).toHaveLength(1);
    expect(disclosures([record(printed('login'), secret)])).toEqual([]);
  });

  it('must show neither SQL nor a stack', () => {
    expect(disclosures([record(printed('{"err":"UPDATE account SET x"}'))])).toHaveLength(1);
    expect(disclosures([record(printed('{"stack":"    at open (lib/lrs.ts:12:3)"}'))])).toHaveLength(1);
  });

  it('must be there when there were answers, or the search proves nothing', () => {
    expect(disclosures([record({ kind: 'heard', text: '/xapi/about' })])).toHaveLength(1);
  });
});
