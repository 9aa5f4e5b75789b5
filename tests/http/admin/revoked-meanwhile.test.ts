import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../functions/routes.ts';
import { databaseEnv, tokenOf } from '../../support/admin-client.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';
import { firstAccount, type ServerEntrance, serverEntrance } from '../../support/entrance.ts';
import { parsed, stringMember } from '../../support/lrs-client.ts';
import { type RawClient, rawClient } from '../../support/raw-client.ts';
import { newStatement } from '../../support/statement-client.ts';

const password = 'N3w_and_longer?';

/** A request that the server has authenticated and whose body it waits for. */
interface Begun {
  /** Sends the body. @returns the status of the answer. */
  finish(): Promise<string | undefined>;
  readonly raw: RawClient;
}

describe.each(engines)(
  'a request whose body comes when its login or key pair is revoked, on $name',
  ({ create, shared }) => {
    let database: TestDatabase;
    let lrs: ServerEntrance;
    /** The process in which logins are revoked: another one, where the engine can be shared. */
    let elsewhere: ServerEntrance;
    let operator: string;
    const clients: RawClient[] = [];

    beforeAll(async () => {
      database = await create();
      const env = {
        ...databaseEnv(database.options),
        LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true',
        LRS_ENABLE_REACTIONS: 'true',
        LRS_ENABLE_STORES: String(shared),
        LRS_AUTH_BY_CRED_ID: 'true',
        // However long the other requests take meanwhile.
        LRS_MIN_BODY_BYTES_PER_SECOND: '0',
      };
      lrs = await serverEntrance('http', env);
      elsewhere = shared ? await serverEntrance('http', env) : lrs;
      operator = tokenOf(await call('POST', '/admin/account/login', { body: firstAccount }));
    });
    afterAll(async () => {
      for (const { socket } of clients) socket.destroy();
      if (elsewhere !== lrs) await elsewhere?.close();
      await lrs?.close();
      await database?.remove();
    });

    const call = async (
      method: string,
      path: string,
      {
        token,
        body,
        query,
        at = lrs,
      }: { token?: string; body?: object; query?: string; at?: ServerEntrance } = {},
    ) => {
      const headers = {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      return at.send({
        ...{ method, path, headers },
        ...(query !== undefined && { query }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    };

    const newAccount = async (): Promise<{ id: string; username: string; token: string }> => {
      const username = `admin-${crypto.randomUUID()}`;
      const made = await call('POST', '/admin/account/create', {
        token: operator,
        body: { username, password },
      });
      return { username, id: stringMember(made, 'account-id'), token: tokenOf(made) };
    };

    const begin = async (
      method: string,
      path: string,
      {
        authorization,
        operator: named,
        body = {},
      }: { authorization: string | undefined; operator?: string; body?: object },
    ): Promise<Begun> => {
      const raw = await rawClient(Number(new URL(lrs.url).port));
      clients.push(raw);
      const text = JSON.stringify(body);
      const headers = [
        `${method} ${path} HTTP/1.1`,
        'Host: localhost',
        ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
        ...(named === undefined ? [] : [`X-LRS-Operator: ${named}`]),
        'X-Experience-API-Version: 1.0.3',
        'Content-Type: application/json',
        `Content-Length: ${text.length}`,
        'Expect: 100-continue',
      ];
      await raw.send(`${headers.join('\r\n')}\r\n\r\n`);
      expect([method, path, ...(await raw.statuses(1))]).toEqual([method, path, '100']);
      const finish = async () => {
        await raw.send(text);
        return (await raw.statuses(2))[1];
      };
      return { finish, raw };
    };

    const protectedRoutes = routes.filter(
      ({ access, path }) => access === 'login' && (shared || !path.startsWith('/admin/stores')),
    );

    describe.each<[string, (account: { id: string; token: string }) => Promise<number>]>([
      [
        'its account logs out',
        async ({ token }) =>
          (await call('POST', '/admin/account/logout', { token, body: {}, at: elsewhere })).status,
      ],
      [
        'another operator sets a new password',
        async ({ id }) => {
          const body = { 'account-id': id, 'new-password': 'An0ther_pass!' };
          const request = { token: operator, body, at: elsewhere };
          return (await call('PUT', '/admin/account/reset-password', request)).status;
        },
      ],
      [
        'its account is deleted',
        async ({ id }) => {
          const request = { token: operator, body: { 'account-id': id }, at: elsewhere };
          return (await call('DELETE', '/admin/account', request)).status;
        },
      ],
    ])('because %s', (_, revoke) => {
      it('gets the 401 of a bad token from every route of the administration', async () => {
        const account = await newAccount();
        const authorization = `Bearer ${account.token}`;
        const requests = [];
        for (const { method, path } of protectedRoutes) {
          requests.push({ method, path, begun: await begin(method, path, { authorization }) });
        }
        const issued = await call('GET', '/admin/csv/auth', { token: account.token });
        const download = `/admin/csv?token=${tokenOf(issued)}`;
        const begun = await begin('GET', download, { authorization: undefined });
        requests.push({ method: 'GET', path: download, begun });
        expect(await revoke(account)).toBe(200);
        for (const { method, path, begun } of requests) {
          expect([method, path, await begun.finish()]).toEqual([method, path, '401']);
          expect(begun.raw.received).toContain('was revoked');
          expect(begun.raw.received).toMatch(/www-authenticate: Bearer/i);
        }
      });

      it('changes nothing', async () => {
        const account = await newAccount();
        const other = await newAccount();
        const authorization = `Bearer ${account.token}`;
        const username = `late-${account.username}`;
        const deletion = { 'account-id': other.id };
        const requests = [
          await begin('POST', '/admin/creds', { authorization, body: { scopes: ['all'] } }),
          await begin('DELETE', '/admin/account', { authorization, body: deletion }),
          await begin('POST', '/admin/account/create', { authorization, body: { username, password } }),
        ];
        expect(await revoke(account)).toBe(200);
        for (const { finish } of requests) expect(await finish()).toBe('401');
        const accounts = parsed(await call('GET', '/admin/account', { token: operator }));
        expect(accounts).toContainEqual({ 'account-id': other.id, username: other.username });
        expect(accounts).not.toContainEqual(expect.objectContaining({ username }));
        if (shared) expect(await pairsOf(account.id)).toEqual([]);
      });

      it('gets 401 of the xAPI where it names the operator, whose key pair still counts', async () => {
        const account = await newAccount();
        const { authorization } = await newPair(operator);
        const { finish, raw } = await begin('POST', '/xapi/statements', {
          authorization,
          operator: `Bearer ${account.token}`,
          body: newStatement(),
        });
        expect(await revoke(account)).toBe(200);
        expect(await finish()).toBe('401');
        expect(raw.received).toContain('The header X-LRS-Operator is refused');
        expect(raw.received).toMatch(/www-authenticate: Bearer realm="LRS administration"/i);
      });

      it('is kept by the audit trail as little as any other request with a bad token', async () => {
        const account = await newAccount();
        const authorization = `Bearer ${account.token}`;
        const pair = await newPair(operator);
        const statement = { operator: authorization, body: newStatement() };
        const requests = [
          await begin('POST', '/admin/creds', { authorization, body: { scopes: ['all'] } }),
          await begin('GET', '/admin/csv', { authorization }),
          await begin('POST', '/xapi/statements', { ...statement, authorization: pair.authorization }),
        ];
        expect(await revoke(account)).toBe(200);
        for (const { finish } of requests) expect(await finish()).toBe('401');
        const query = `username=${account.username}`;
        const { events } = parsed(await call('GET', '/admin/audit', { token: operator, query })) as {
          readonly events: readonly { readonly action: string }[];
        };
        expect(events.filter(({ action }) => action !== 'POST /admin/account/logout')).toEqual([]);
      });
    });

    const pairsOf = (id: string) =>
      database.db.read((session) =>
        session.select('SELECT id FROM credential WHERE account_id = :id', { id }),
      );

    it('is answered as long as its token counts, and when that is the one that a new password keeps', async () => {
      const { token } = await newAccount();
      const authorization = `Bearer ${token}`;
      const requests = [
        await begin('POST', '/admin/creds', { authorization, body: { scopes: ['all'] } }),
        await begin('GET', '/admin/csv/auth', { authorization }),
      ];
      const body = { 'old-password': password, 'new-password': 'An0ther_pass!' };
      expect((await call('PUT', '/admin/account/password', { token, body, at: elsewhere })).status).toBe(200);
      for (const { finish } of requests) expect(await finish()).toBe('200');
    });

    const newPair = async (token: string) => {
      const pair = await call('POST', '/admin/creds', { token, body: { scopes: ['all'] } });
      const keys = {
        'api-key': stringMember(pair, 'api-key'),
        'secret-key': stringMember(pair, 'secret-key'),
      };
      const authorization = `Basic ${btoa(`${keys['api-key']}:${keys['secret-key']}`)}`;
      return { keys, authorization };
    };

    it.each<[string, 'PUT' | 'DELETE', object, string]>([
      ['401 when its key pair is deleted', 'DELETE', {}, '401'],
      ['403 when its key pair loses the scope', 'PUT', { scopes: ['state'], label: null }, '403'],
      ['200 when its key pair keeps the scope', 'PUT', { scopes: ['statements/write'], label: null }, '200'],
    ])('gets of the xAPI %s', async (_, method, change, status) => {
      const { token } = await newAccount();
      const { keys, authorization } = await newPair(token);
      const body = newStatement();
      const { finish, raw } = await begin('POST', '/xapi/statements', { authorization, body });
      expect((await call(method, '/admin/creds', { token, body: { ...keys, ...change } })).status).toBe(200);
      expect(await finish()).toBe(status);
      expect(/www-authenticate: Basic/i.test(raw.received)).toBe(status === '401');
    });

    it.each([
      ['401 when the login is revoked', true, '401'],
      ['200 while the login counts', false, '200'],
    ])('gets of the xAPI, with a login that names a key pair, %s', async (_, isRevoked, status) => {
      const { token } = await newAccount();
      await newPair(token);
      const [pair] = parsed(await call('GET', '/admin/creds', { token })) as { id: string }[];
      const { finish } = await begin('POST', `/xapi/statements?credentialID=${pair?.id}`, {
        authorization: `Bearer ${token}`,
        body: newStatement(),
      });
      if (isRevoked) await call('POST', '/admin/account/logout', { token, body: {}, at: elsewhere });
      expect(await finish()).toBe(status);
    });
  },
);
