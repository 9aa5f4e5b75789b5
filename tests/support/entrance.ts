import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/config.ts';
import { createHandlers } from '../../functions/index.ts';
import { createRouter, type Router } from '../../functions/router.ts';
import { loadKeyPair } from '../../lib/adapter/certificate.ts';
import { createLimits } from '../../lib/adapter/limits.ts';
import { startServer } from '../../lib/adapter/server.ts';
import { forFetch } from '../../lib/http/gateways/fetch.ts';
import type { GatewayEvent } from '../../lib/http/gateways/index.ts';
import type { Handler } from '../../lib/http/handler.ts';
import { MemoryBudget } from '../../lib/http/memory-budget.ts';
import { type Lrs, openLrs } from '../../lib/lrs.ts';
import { recordExchange, recordedLogger } from './disclosure/record.ts';
import { engines, sqliteDriver } from './engines.ts';
import { type ClientAnswer, type ClientRequest, clientAnswer } from './gateway-events.ts';
import { hashOnce } from './known-password.ts';
import { loadPackagedFunctions } from './packaged-functions.ts';
import { databaseSettings } from './server-process.ts';

/** A way into a running LRS. */
export interface Entrance {
  send(request: ClientRequest): Promise<ClientAnswer>;
  /** What stands before the paths in the addresses that clients use. */
  readonly stage: string;
  close(): Promise<void>;
}

/** One to an LRS in this process. */
export interface LocalEntrance extends Entrance {
  /** Resolves when the consumers of the feed have nothing left to do, as after the scheduled function of Lambda. */
  settle(): Promise<void>;
}

export const firstAccount = { username: 'opsadmin', password: 'Tr1cky_pass!' };
hashOnce(firstAccount.password);

/** The settings of an LRS that keeps everything in the directory. */
export function settings(directory: string): Record<string, string> {
  return {
    LRS_LOG_LEVEL: 'ALL',
    LRS_DB_NAME: join(directory, 'lrs.db'),
    LRS_SQLITE_DRIVER: sqliteDriver,
    LRS_ADMIN_USER_DEFAULT: firstAccount.username,
    LRS_ADMIN_PASS_DEFAULT: firstAccount.password,
    LRS_MAX_BODY_BYTES: String(maxBodyBytes),
  };
}

export const maxBodyBytes = 1_000_000;

interface Opened {
  readonly lrs: Lrs;
  readonly route: Router;
  readonly directory: string;
  close(): Promise<void>;
}

/** Settings beside those of `settings`. */
type Env = Readonly<Record<string, string>>;

/**
 * With `LRS_TEST_ENGINE=postgres` or `mariadb` the tests that come in through an entrance run on that engine, unless they
 * name a database themselves.
 */
async function reservePlace(env: Env): Promise<{ readonly env: Env; readonly remove: () => Promise<void> }> {
  const wanted = process.env.LRS_TEST_ENGINE ?? 'sqlite';
  if (wanted === 'sqlite' || env.LRS_DB_NAME !== undefined) return { env: {}, remove: async () => {} };
  const engine = engines.find(({ dialect }) => dialect === wanted);
  if (engine === undefined) throw new Error(`LRS_TEST_ENGINE: there is no ${wanted} to test with.`);
  const { options, remove } = await engine.reserve();
  return { env: databaseSettings(options), remove };
}

async function open(env: Env): Promise<Opened> {
  const directory = mkdtempSync(join(tmpdir(), 'entrance-'));
  const place = await reservePlace(env);
  const { config, secrets } = loadConfig({
    env: { ...settings(directory), ...place.env, ...env },
    cwd: directory,
  });
  const lrs = await openLrs(config, secrets, recordedLogger());
  const route = createRouter(
    createHandlers(async () => lrs),
    config.webserver.urlPrefix,
  );
  const close = async (): Promise<void> => {
    await lrs.close();
    await place.remove();
    rmSync(directory, { recursive: true });
  };
  return { lrs, route, directory, close };
}

/**
 * The handlers called with the events of a gateway. With `LRS_TEST_FUNCTIONS=packaged` they are those of the bundles that a
 * deployment packs, where the database is on a server.
 */
export async function eventEntrance(
  eventOf: (request: ClientRequest) => GatewayEvent,
  stage: string,
  env: Env = {},
): Promise<LocalEntrance> {
  if (process.env.LRS_TEST_FUNCTIONS === 'packaged') {
    const place = await reservePlace(env);
    const packagedEnv: Env = { ...settings(tmpdir()), ...place.env, ...env };
    if (packagedEnv.LRS_DB_TYPE !== undefined)
      return packagedEntrance(eventOf, stage, { ...place, env: packagedEnv });
  }
  const { lrs, route, close } = await open(env);
  return {
    send: (request) => called(route(request.method, request.path), eventOf, request),
    stage,
    settle: () => settle(lrs),
    close,
  };
}

async function packagedEntrance(
  eventOf: (request: ClientRequest) => GatewayEvent,
  stage: string,
  { env, remove }: { readonly env: Env; readonly remove: () => Promise<void> },
): Promise<LocalEntrance> {
  const functions = await loadPackagedFunctions(env);
  let last: Promise<unknown> = Promise.resolve();
  return {
    // An instance of a function has one request at a time.
    send: (request) => {
      const answer = last.then(() => called(functions.route(request.path), eventOf, request));
      last = answer.catch(() => undefined);
      return answer;
    },
    stage,
    settle: functions.runBackground,
    close: async () => {
      functions.remove();
      await remove();
    },
  };
}

async function called(
  handler: Handler,
  eventOf: (request: ClientRequest) => GatewayEvent,
  request: ClientRequest,
): Promise<ClientAnswer> {
  const answer = clientAnswer(await handler(eventOf(request)));
  recordExchange(request, answer);
  return answer;
}

/** The handlers called with requests of the Fetch API. */
export async function fetchEntrance(env: Env = {}): Promise<Entrance> {
  const { lrs, route, close } = await open(env);
  const handle = forFetch(route, new MemoryBudget(lrs.config.webserver.maxBufferedBodyBytes));
  return {
    send: async (request) => {
      const response = await handle(fetchRequest(request), '203.0.113.7');
      const body = Buffer.from(await response.arrayBuffer());
      const answer = { status: response.status, headers: Object.fromEntries(response.headers), body };
      recordExchange(request, answer);
      return answer;
    },
    stage: '',
    close,
  };
}

function fetchRequest({ method, path, query, headers = {}, body }: ClientRequest): Request {
  const url = `https://lrs.example.org${path}${query === undefined ? '' : `?${query}`}`;
  return new Request(url, {
    method,
    headers,
    ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
  });
}

/** The way in over the network; `url` is the origin of the server. */
export interface ServerEntrance extends LocalEntrance {
  readonly url: string;
}

/** The Node adapter, by HTTP or HTTPS. */
export async function serverEntrance(scheme: 'http' | 'https', env: Env = {}): Promise<ServerEntrance> {
  const { lrs, route, directory, close } = await open(env);
  const keys = { keyPkeyFile: join(directory, 'key.pem'), keyCertChain: ['cert.pem'], keyEnableSelfie: true };
  const server = await startServer(
    { host: '127.0.0.1', port: 0 },
    { route, limits: createLimits(lrs.config.webserver), onFailure: () => {} },
    scheme === 'https' ? await loadKeyPair(keys, lrs.logger) : undefined,
  );
  lrs.feed.start();
  return {
    url: server.url,
    send: (request) => sendTo(server.url, request),
    stage: '',
    settle: () => settle(lrs),
    close: async () => {
      await server.stop(0);
      await close();
    },
  };
}

async function settle({ feed }: Lrs): Promise<void> {
  const enough = 60_000;
  while (!(await feed.runUntil(Date.now() + enough)));
}

const trusting = new Agent({ rejectUnauthorized: false, keepAlive: false });

/** One request over the network, with nothing added to it or changed. */
export async function sendTo(origin: string, request: ClientRequest): Promise<ClientAnswer> {
  const answer = await exchange(origin, request);
  recordExchange(request, answer);
  return answer;
}

function exchange(
  origin: string,
  { method, path, query, headers, body }: ClientRequest,
): Promise<ClientAnswer> {
  const { protocol, hostname: host, port } = new URL(origin);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const target = query === undefined ? path : `${path}?${query}`;
  const options = { host, port, method, path: target, headers: { ...headers, ...length } };
  return new Promise((resolve, reject) => {
    const receive = (message: IncomingMessage): void => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => resolve(answerOf(message, Buffer.concat(chunks))));
    };
    const request =
      protocol === 'https:'
        ? httpsRequest({ ...options, agent: trusting }, receive)
        : httpRequest(options, receive);
    request.on('error', reject);
    request.end(body);
  });
}

function answerOf(message: IncomingMessage, body: Buffer): ClientAnswer {
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return { status: message.statusCode ?? 0, headers: Object.fromEntries(headers), body };
}
