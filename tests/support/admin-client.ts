import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { DatabaseOptions } from '../../lib/db/dialects/engine.ts';
import { type Engine, engines, sharedEngines, type TestDatabase } from './engines.ts';
import { eventEntrance, firstAccount, type LocalEntrance, serverEntrance } from './entrance.ts';
import { type ClientAnswer, gatewayEvents } from './gateway-events.ts';
import { parsed, stringMember } from './lrs-client.ts';

/** An LRS as an administrator sees it, on a database of its own. */
export interface Administration {
  call(method: string, path: string, call?: AdminRequest): Promise<ClientAnswer>;
  /** The token of a login, which has to succeed. */
  login(account?: { readonly username: string; readonly password: string }): Promise<string>;
  /** A token of the first account, the same each time. */
  firstToken(): Promise<string>;
  /** A new account, made by the first one. */
  newAccount(): Promise<NewAccount>;
  /** The same database through another process, with its own settings. */
  elsewhere(env?: Env): Promise<Administration>;
  /** What only the database tells; where the engine can be shared. */
  readonly database: TestDatabase;
  /** Resolves when the consumers of the feed have nothing left to do. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface AdminRequest {
  readonly token?: string;
  readonly body?: unknown;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface NewAccount {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
}

type Env = Readonly<Record<string, string>>;

const entrances = {
  'HTTP API events': (env: Env): Promise<LocalEntrance> => {
    const eventOf = gatewayEvents['HTTP API event (v2)'];
    if (eventOf === undefined) throw new Error('there is no such event');
    return eventEntrance(eventOf, '', env);
  },
  'the Node adapter': (env: Env): Promise<LocalEntrance> => serverEntrance('http', env),
};

/** A way to open an LRS for its administration. */
export interface AdministrationPlace {
  /** The engine and the entrance. */
  readonly name: string;
  /** Whether several processes can share the database. */
  readonly shared: boolean;
  open(env?: Env): Promise<Administration>;
}

function placeOn(engine: Engine, entrance: keyof typeof entrances): AdministrationPlace {
  return {
    name: `${engine.name}, by ${entrance}`,
    shared: engine.shared,
    async open(env = {}) {
      const database = await engine.create();
      return openOn(database, entrances[entrance], env, () => database.remove());
    },
  };
}

/**
 * Every engine, half of them through the events of Lambda and half through the adapter: what the entrances do does not
 * depend on the engine.
 */
export const administrations = engines.map((engine, index) =>
  placeOn(engine, index % 2 === 0 ? 'the Node adapter' : 'HTTP API events'),
);

/** Every engine that several processes can share, both through the events of Lambda and through the adapter. */
export const everyAdministration = sharedEngines.flatMap((engine) => [
  placeOn(engine, 'the Node adapter'),
  placeOn(engine, 'HTTP API events'),
]);

async function openOn(
  database: TestDatabase,
  open: (env: Env) => Promise<LocalEntrance>,
  env: Env,
  remove: () => Promise<void>,
): Promise<Administration> {
  const entrance = await open({ ...databaseEnv(database.options), ...env });
  const opened: Administration[] = [];
  const call: Administration['call'] = (method, path, { token, body, query, headers } = {}) =>
    entrance.send({
      method,
      path,
      ...(query !== undefined && { query }),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const login: Administration['login'] = async (account = firstAccount) =>
    tokenOf(await call('POST', '/admin/account/login', { body: account }));
  let first: Promise<string> | undefined;
  const firstToken: Administration['firstToken'] = () => {
    first ??= login();
    return first;
  };
  return {
    call,
    database,
    login,
    firstToken,
    async newAccount() {
      const account = { username: `admin-${randomUUID()}`, password: 'N3w_and_longer?' };
      const made = await call('POST', '/admin/account/create', { token: await firstToken(), body: account });
      return { ...account, id: stringMember(made, 'account-id'), token: tokenOf(made) };
    },
    async elsewhere(more = {}) {
      const other = await openOn(database, open, { ...env, ...more }, async () => undefined);
      opened.push(other);
      return other;
    },
    settle: () => entrance.settle(),
    async close() {
      for (const other of opened) await other.close();
      await entrance.close();
      await remove();
    },
  };
}

export const tokenOf = (answer: ClientAnswer): string => stringMember(answer, 'json-web-token');

/** The settings of these options, e.g. `LRS_DB_NAME`. */
export function databaseEnv(options: DatabaseOptions): Record<string, string> {
  const kinds = ['string', 'number', 'boolean'];
  const scalars = Object.entries(options).filter(([, value]) => kinds.includes(typeof value));
  return Object.fromEntries(
    scalars.map(([key, value]) => [
      `LRS_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      String(value),
    ]),
  );
}

/** That the answer is an error of this status, with a text. */
export function expectError(answer: ClientAnswer, status: number): void {
  expect([answer.status, parsed(answer)]).toEqual([
    status,
    expect.objectContaining({ error: expect.stringMatching(/\S/) }),
  ]);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
}

/** That the answer is this JSON, with status 200. */
export function expectJson(answer: ClientAnswer, body: unknown): void {
  expect([answer.status, parsed(answer)]).toEqual([200, body]);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
}
