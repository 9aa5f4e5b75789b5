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
import type { GatewayEvent } from '../../lib/http/gateways/index.ts';
import { type Lrs, openLrs } from '../../lib/lrs.ts';
import { recordExchange, recordedLogger } from './disclosure/record.ts';
import { engines } from './engines.ts';
import { type ClientAnswer, type ClientRequest, clientAnswer } from './gateway-events.ts';
import { databaseSettings } from './server-process.ts';

/** A way into a running LRS. */
export interface Entrance {
  send(request: ClientRequest): Promise<ClientAnswer>;
  /** What stands before the paths in the addresses that clients use. */
  readonly stage: string;
  close(): Promise<void>;
}

export const firstAccount = { username: 'opsadmin', password: 'Tr1cky_pass!' };

/** The settings of an LRS that keeps everything in the directory. */
export function settings(directory: string): Record<string, string> {
  return {
    LRS_LOG_LEVEL: 'ALL',
    LRS_DB_NAME: join(directory, 'lrs.db'),
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

/** The handlers called with the events of a gateway. */
export async function eventEntrance(
  eventOf: (request: ClientRequest) => GatewayEvent,
  stage: string,
  env: Env = {},
): Promise<Entrance> {
  const { route, close } = await open(env);
  return {
    send: async (request) => {
      const answer = clientAnswer(await route(request.method, request.path)(eventOf(request)));
      recordExchange(request, answer);
      return answer;
    },
    stage,
    close,
  };
}

/** The way in over the network; `url` is the origin of the server. */
export interface ServerEntrance extends Entrance {
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
  return {
    url: server.url,
    send: (request) => sendTo(server.url, request),
    stage: '',
    close: async () => {
      await server.stop(0);
      await close();
    },
  };
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
