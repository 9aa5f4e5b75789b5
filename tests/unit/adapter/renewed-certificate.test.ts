import { X509Certificate } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../config/config.ts';
import { serve } from '../../../lib/adapter/serve.ts';
import type { RunningServer } from '../../../lib/adapter/server.ts';
import { createLogger } from '../../../lib/logger.ts';
import { conditionLimit } from '../../support/time-limits.ts';

let directory = '';
let servers: RunningServer[] = [];
const log: string[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'renewed-'));
  log.length = 0;
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop(0)));
  rmSync(directory, { recursive: true });
});

const keyFile = (): string => join(directory, 'server.key.pem');
const certFile = (): string => join(directory, 'server.crt.pem');

const pairFor = async (name: string) => {
  const altNames = [
    { type: 2 as const, value: name },
    { type: 7 as const, ip: '127.0.0.1' },
  ];
  const extensions = [{ name: 'subjectAltName' as const, altNames }];
  return generate([{ name: 'commonName', value: name }], { keySize: 2048, algorithm: 'sha256', extensions });
};

/** A file appears as a whole, as from programs that renew certificates. */
function put(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

async function start(env: Record<string, string> = {}): Promise<number> {
  const first = await pairFor('first.example');
  put(keyFile(), first.private);
  put(certFile(), first.cert);
  const files = { LRS_KEY_PKEY_FILE: keyFile(), LRS_KEY_CERT_CHAIN: certFile() };
  const ports = { LRS_HTTP_HOST: '127.0.0.1', LRS_HTTP_PORT: '0', LRS_SSL_PORT: '0' };
  const { webserver } = loadConfig({ env: { ...files, ...ports, ...env }, cwd: directory }).config;
  servers = await serve({
    webserver,
    keyPassword: undefined,
    route: () => async () => ({ statusCode: 204 }),
    logger: createLogger('WARN', { write: (line) => void log.push(line) }),
  });
  return servers[1]?.port ?? 0;
}

function servedName(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(new X509Certificate(raw).subject);
    });
    socket.on('error', reject);
  });
}

/** The code of the error that a client of TLS 1.2 gets for a renegotiation; undefined when the server takes part in it. */
function renegotiate(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' } as const;
    const socket = connect(options, () => {
      socket.renegotiate({}, () => {
        socket.destroy();
        resolve(undefined);
      });
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}

describe('a certificate whose files change', () => {
  it('is used by new connections as soon as key and certificate fit, without a restart', async () => {
    const port = await start();
    expect(await servedName(port)).toBe('CN=first.example');
    const second = await pairFor('second.example');
    put(certFile(), second.cert);
    put(keyFile(), second.private);
    await expect.poll(() => servedName(port), { timeout: conditionLimit }).toBe('CN=second.example');
  });

  it('permits renegotiations neither before nor after', async () => {
    const port = await start();
    expect(await renegotiate(port)).toBe('ERR_SSL_NO_RENEGOTIATION');
    const second = await pairFor('second.example');
    put(certFile(), second.cert);
    put(keyFile(), second.private);
    await expect.poll(() => servedName(port), { timeout: conditionLimit }).toBe('CN=second.example');
    expect(await renegotiate(port)).toBe('ERR_SSL_NO_RENEGOTIATION');
  });

  it('goes on being used as it was while what is there can not be', async () => {
    const port = await start();
    const [broken, third] = [await pairFor('broken.example'), await pairFor('third.example')];
    put(certFile(), broken.cert);
    expect(await servedName(port)).toBe('CN=first.example');
    put(certFile(), third.cert);
    put(keyFile(), third.private);
    const names = new Set<string>();
    await expect
      .poll(async () => names.add(await servedName(port)).has('CN=third.example'), {
        timeout: conditionLimit,
      })
      .toBe(true);
    expect([...names].filter((name) => name === 'CN=broken.example')).toEqual([]);
  });
});

describe('a certificate in use', () => {
  it.each([
    ['the key becomes empty', () => put(keyFile(), ''), /server\.key\.pem is empty/],
    ['the certificate becomes empty', () => put(certFile(), ''), /server\.crt\.pem is empty/],
    ['the key is removed', () => rmSync(keyFile()), /server\.key\.pem does not exist/],
    [
      'both files are removed',
      () => {
        rmSync(keyFile());
        rmSync(certFile());
      },
      /Neither \S+server\.key\.pem nor \S+server\.crt\.pem exists/,
    ],
  ])('stays in use with a warning that names the file when %s', async (_, change, warning) => {
    const port = await start();
    change();
    await expect.poll(() => log.join(''), { timeout: conditionLimit }).toMatch(warning);
    expect(await servedName(port)).toBe('CN=first.example');
    const next = await pairFor('next.example');
    put(certFile(), next.cert);
    put(keyFile(), next.private);
    await expect.poll(() => servedName(port), { timeout: conditionLimit }).toBe('CN=next.example');
  });
});

describe('the check of the host', () => {
  const statusFor = (port: number, host: string, servername = ''): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', servername, headers: { host }, rejectUnauthorized: false };
      request({ ...options, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

  it('permits what the certificate names, in agreement with the handshake', async () => {
    const port = await start({ LRSQL_CHECK_SNI: 'true' });
    expect(await statusFor(port, 'first.example')).toBe(204);
    expect(await statusFor(port, `First.Example:${port}`, 'first.example')).toBe(204);
    expect(await statusFor(port, `127.0.0.1:${port}`)).toBe(204);
    expect(await statusFor(port, 'other.example')).toBe(400);
    expect(await statusFor(port, 'first.example', 'other.example')).toBe(400);
    expect(await statusFor(port, 'not a host')).toBe(400);
  });

  it('is made only when it is asked for', async () => {
    expect(await statusFor(await start(), 'other.example', 'third.example')).toBe(204);
  });
});
