import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { recordPrinted } from '../support/disclosure/record.ts';
import { sendTo, settings } from '../support/entrance.ts';
import { connect } from '../support/lrs-client.ts';
import { conditionLimit } from '../support/time-limits.ts';

let directory = '';
let child: ChildProcessByStdio<null, Readable, Readable> | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'serve-'));
});
afterEach(async () => {
  if (child !== undefined && child.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(directory, { recursive: true });
});

interface Started {
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when the first line is there. */
  firstLine(): Promise<string>;
  /** The status that it ends with; resolves when all that it has printed is there. */
  exit(): Promise<number | null>;
  kill(): void;
}

function start(env: Record<string, string>): Started {
  const ports = { LRS_HTTP_HOST: '127.0.0.1', LRS_HTTP_PORT: '0', LRS_SSL_PORT: '0' };
  const process_ = spawn(process.execPath, [builtProgram('serve')], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...ports, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = process_;
  const closed = once(process_, 'close');
  let out = '';
  let err = '';
  process_.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    recordPrinted(chunk.toString());
  });
  process_.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
    recordPrinted(chunk.toString());
  });
  return {
    out: () => out,
    err: () => err,
    async firstLine() {
      while (!out.includes('\n')) await once(process_.stdout, 'data');
      return out.split('\n')[0] ?? '';
    },
    async exit() {
      await closed;
      return process_.exitCode;
    },
    kill: () => process_.kill('SIGTERM'),
  };
}

describe('the server', () => {
  it('warns at its start of each database server of stores that can not be used', async () => {
    const server = start({
      ...settings(directory),
      LRS_ENABLE_STORES: 'true',
      LRS_STORES_SERVERS: 'second=postgresql://lrs:secret@127.0.0.1:1/lrs',
    });
    await server.firstLine();
    await expect
      .poll(() => server.out() + server.err(), { timeout: conditionLimit })
      .toContain(
        "stores on the server second (stores.storesServers) can't use its host 127.0.0.1:1: No Postgres answers at 127.0.0.1:1: start it, or check the server second in stores.storesServers (LRS_STORES_SERVERS).",
      );
    server.kill();
    expect(await server.exit()).toBe(0);
  });

  it('says first where it listens, serves by HTTP and HTTPS, and stops on SIGTERM', async () => {
    const server = start(settings(directory));
    const line = await server.firstLine();
    const [http = '', https = ''] = /^serverless-lrs listens on (\S+) and (\S+)$/.exec(line)?.slice(1) ?? [];
    for (const origin of [http, https]) {
      const client = await connect({
        send: (request) => sendTo(origin, request),
        stage: '',
        close: async () => {},
      });
      expect((await client.xapi('GET')).status).toBe(200);
    }
    expect(existsSync(join(directory, 'config/server.selfsigned.key.pem'))).toBe(true);
    server.kill();
    expect(await server.exit()).toBe(0);
  });

  it('listens on HTTPS alone when enableHttp is off', async () => {
    const server = start({ ...settings(directory), LRS_ENABLE_HTTP: 'false' });
    expect(await server.firstLine()).toMatch(/^serverless-lrs listens on https:\/\/127\.0\.0\.1:\d+$/);
  });

  it('warns that nobody can log in when there is no account', async () => {
    const server = start({ LRS_DB_NAME: ':memory:', LRS_LOG_LEVEL: 'WARN' });
    await server.firstLine();
    await expect.poll(server.err).toMatch(/LRS_ADMIN_USER_DEFAULT/);
  });

  it('does not start on a bad configuration: one line per problem, no stack', async () => {
    const server = start({ LRS_HTTP_PORT: 'many', LRS_ENABLE_HTTPP: 'true' });
    expect(await server.exit()).toBe(1);
    expect(server.out()).toBe('');
    const lines = server.err().trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(server.err()).not.toMatch(/^\s+at /m);
  });

  it.each([
    ['authority.json.template', {}, 'must give an Agent'],
    [
      'oidc_authority.json.template',
      { LRS_OIDC_ISSUER: 'http://127.0.0.1:1' },
      'must give an Agent, or a Group of application and user',
    ],
  ])('does not start on a broken config/%s and says in one line what is wrong', async (name, env, rule) => {
    mkdirSync(join(directory, 'config'));
    writeFileSync(join(directory, 'config', name), '{"mbox": "nobody"}');
    const server = start({ ...settings(directory), LRS_LOG_LEVEL: 'OFF', ...env });
    expect(await server.exit()).toBe(1);
    expect(server.out()).toBe('');
    expect(server.err()).toMatch(
      `The server can't start: The authority template config/${name} ${rule}. authority.mbox must be a mailto IRI`,
    );
    expect(server.err().trim().split('\n')).toHaveLength(1);
  });

  it('does not start on a port that is taken and says so', async () => {
    const first = start({ ...settings(directory) });
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(await first.firstLine())?.[1] ?? '';
    const holder = child;
    const second = start({ LRS_DB_NAME: ':memory:', LRS_LOG_LEVEL: 'OFF', LRS_HTTP_PORT: port });
    expect(await second.exit()).toBe(1);
    expect(second.err()).toMatch(
      /can't start: .*EADDRINUSE.*\. Choose another port \(LRS_HTTP_PORT\), or end the program/,
    );
    child = holder;
  });

  it('does not start with a key and a certificate that can not be used, and says which settings name them', async () => {
    const key = join(directory, 'key.pem');
    const certificate = join(directory, 'certificate.pem');
    writeFileSync(key, 'no key');
    writeFileSync(certificate, 'no certificate');
    const server = start({ ...settings(directory), LRS_KEY_PKEY_FILE: key, LRS_KEY_CERT_CHAIN: certificate });
    expect(await server.exit()).toBe(1);
    expect(server.err()).toMatch(
      /can't start: webserver\.keyPkeyFile and webserver\.keyCertChain can't be used: error:/,
    );
  });

  it('does not start on an address that is not its own and says what to set', async () => {
    const server = start({
      LRS_DB_NAME: ':memory:',
      LRS_LOG_LEVEL: 'OFF',
      LRS_HTTP_HOST: '192.0.2.1',
      LRS_HTTP_PORT: '0',
    });
    expect(await server.exit()).toBe(1);
    expect(server.err()).toMatch(
      /can't start: .*192\.0\.2\.1.*Set LRS_HTTP_HOST to an address of this machine/,
    );
  });
});
