import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Administration, administrations, expectError } from '../../support/admin-client.ts';
import { passSeconds, stopClock } from '../../support/clock.ts';
import { firstAccount } from '../../support/entrance.ts';
import type { ClientAnswer } from '../../support/gateway-events.ts';

const proxied = (address: string) => ({ 'x-forwarded-for': `10.9.8.7, ${address}` });

const logInAt = (at: Administration, account: object, address: string): Promise<ClientAnswer> =>
  at.call('POST', '/admin/account/login', { body: account, headers: proxied(address) });

/**
 * Wrong passwords until one is refused because of those just before it. The clock of a database server does not stop, and after ten
 * seconds one more password may be tried, so on a slow machine these may be some more than eleven.
 * @returns how many were checked, and the refusal, which holds for six seconds at least.
 */
async function tryUntilRefused(
  at: Administration,
  who: { readonly username: string; readonly address: string },
): Promise<{ readonly checked: number; readonly refusal: ClientAnswer }> {
  for (let checked = 0; ; ) {
    const password = `Wr0ng-${checked}`;
    const answer = await logInAt(at, { username: who.username, password }, who.address);
    if (answer.status === 401) checked += 1;
    else if (answer.status !== 429 || Number(answer.headers['retry-after']) >= 6)
      return { checked, refusal: answer };
  }
}

beforeEach(stopClock);
afterEach(() => {
  vi.useRealTimers();
});

describe.each(administrations)('the throttling of logins, on $name', ({ open, shared }) => {
  let lrs: Administration;

  beforeAll(async () => {
    lrs = await open({ LRS_TRUST_PROXY: 'true' });
  });
  afterAll(() => lrs?.close());

  const logIn = (account: object, address: string) => logInAt(lrs, account, address);
  it('answers 429 with Retry-After after ten wrong passwords, the same for a name that nobody has', async () => {
    const { username } = await lrs.newAccount();
    const tried = [
      { username, address: '198.51.100.1' },
      { username: `nobody-${randomUUID()}`, address: '198.51.100.2' },
    ];
    for (const each of tried) {
      const { checked, refusal } = await tryUntilRefused(lrs, each);
      expect(checked).toBeGreaterThanOrEqual(10);
      expectError(refusal, 429);
      expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(10);
      expect(refusal.body.toString()).toMatch(/Too many wrong passwords: try again in \d+ s\./);
    }
  });

  it('does not keep a rightful user out who comes from elsewhere, nor any other user', async () => {
    const { username, password } = await lrs.newAccount();
    await tryUntilRefused(lrs, { username, address: '198.51.100.3' });
    expect((await logIn({ username, password }, '198.51.100.3')).status).toBe(429);
    expect((await logIn({ username, password }, '198.51.100.4')).status).toBe(200);
    expect((await logIn(firstAccount, '198.51.100.3')).status).toBe(200);
  });

  it('lets any number of right logins in at once', async () => {
    const { username, password } = await lrs.newAccount();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => logIn({ username, password }, '198.51.100.8')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  if (shared)
    it('counts over all processes', async () => {
      const elsewhere = await lrs.elsewhere();
      const { username, password } = await lrs.newAccount();
      await tryUntilRefused(lrs, { username, address: '198.51.100.9' });
      expect((await logInAt(elsewhere, { username, password }, '198.51.100.9')).status).toBe(429);
    });
});

describe.each(administrations.slice(0, 1))(
  'the throttling of logins, whatever the engine, on $name',
  ({ open }) => {
    let lrs: Administration;

    beforeAll(async () => {
      lrs = await open({ LRS_TRUST_PROXY: 'true' });
    });
    afterAll(() => lrs?.close());

    it('goes by the address that the proxy has added, not by those that a client makes up', async () => {
      const { username } = await lrs.newAccount();
      const statuses = [];
      for (let index = 0; index < 12; index++) {
        const headers = { 'x-forwarded-for': `192.0.2.${index}, 198.51.100.6` };
        const body = { username, password: 'Wr0ng-password' };
        statuses.push((await lrs.call('POST', '/admin/account/login', { body, headers })).status);
      }
      expect(statuses.slice(-2)).toEqual([429, 429]);
    });

    it.each([
      ['with a port each', (index: number) => `198.51.100.8:${1024 + index}`],
      ['in brackets with a port each', (index: number) => `[2001:db8:8::1]:${1024 + index}`],
      ['by texts that are no addresses', (index: number) => `unknown-${index}`],
    ])('counts one client once that a proxy names %s', async (_, named) => {
      const { username } = await lrs.newAccount();
      const statuses = [];
      for (let index = 0; index < 12; index++)
        statuses.push((await logInAt(lrs, { username, password: 'Wr0ng' }, named(index))).status);
      expect(statuses.slice(-2)).toEqual([429, 429]);
    });

    it('holds for the old password of a change, too', async () => {
      const { token } = await lrs.newAccount();
      const change = async () => {
        const body = { 'old-password': 'Wr0ng-password', 'new-password': 'Ch4nged-it-now' };
        const headers = proxied('198.51.100.7');
        return (await lrs.call('PUT', '/admin/account/password', { token, body, headers })).status;
      };
      const statuses = [];
      for (let index = 0; index < 12; index++) statuses.push(await change());
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    });

    it('lets the right password in after the seconds of Retry-After, and not before', async () => {
      const { username, password } = await lrs.newAccount();
      const address = '198.51.100.5';
      const { checked } = await tryUntilRefused(lrs, { username, address });
      expect(checked).toBe(10);
      const refused = await logInAt(lrs, { username, password }, address);
      expect(refused.status).toBe(429);
      passSeconds(Number(refused.headers['retry-after']) - 2);
      expect((await logInAt(lrs, { username, password }, address)).status).toBe(429);
      passSeconds(3);
      expect((await logInAt(lrs, { username, password }, address)).status).toBe(200);
    });

    it('answers many other requests during each password that is checked, while 1,000 wrong logins come', async () => {
      const token = await lrs.firstToken();
      let done = false;
      let answered = 0;
      const ask = async (): Promise<void> => {
        while (!done) {
          expect((await lrs.call('GET', '/admin/verify', { token })).status).toBe(204);
          answered += 1;
        }
      };
      /** How many requests were answered during the checks. */
      const during: number[] = [];
      const attack = async (): Promise<void> => {
        for (let index = 0; index < 1000; index++) {
          const before = answered;
          const username = `name-${index % 40}-that-nobody-has`;
          const { status } = await logInAt(lrs, { username, password: 'Wr0ng-password' }, '198.51.100.6');
          if (status === 401) during.push(answered - before);
        }
        done = true;
      };
      await Promise.all([ask(), attack()]);
      expect(during.length).toBeGreaterThan(10);
      const sorted = during.toSorted((a, b) => a - b);
      expect(sorted[Math.floor(sorted.length / 4)]).toBeGreaterThanOrEqual(5);
    });
  },
);
