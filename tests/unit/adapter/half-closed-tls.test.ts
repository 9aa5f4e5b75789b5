import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../config/config.ts';
import { serve } from '../../../lib/adapter/serve.ts';
import type { RunningServer } from '../../../lib/adapter/server.ts';
import { createLogger } from '../../../lib/logger.ts';

/** Longer than any test. */
const timeout = '600000';

/** The beginning of a ClientHello, whose record would be longer. */
const halfOfHello = Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00]);

let directory: string;
let servers: RunningServer[];
let port: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'half-closed-'));
  const env = {
    LRS_HTTP_HOST: '127.0.0.1',
    LRS_HTTP_PORT: '0',
    LRS_SSL_PORT: '0',
    LRS_HEADERS_TIMEOUT: timeout,
    LRS_REQUEST_TIMEOUT: timeout,
  };
  const { webserver } = loadConfig({ env, cwd: directory }).config;
  servers = await serve({
    webserver: {
      ...webserver,
      keyPkeyFile: join(directory, 'server.key.pem'),
      keyCertChain: [join(directory, 'server.crt.pem')],
    },
    keyPassword: undefined,
    route: () => async () => ({ statusCode: 200, body: 'answered' }),
    logger: createLogger('OFF'),
  });
  port = servers[1]?.port ?? 0;
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop(0)));
  rmSync(directory, { recursive: true });
});

describe('a client of HTTPS that ends its side of the connection', () => {
  it('within the TLS handshake has its connection closed at once, not after a timeout', async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    socket.end(halfOfHello);
    socket.resume();
    await once(socket, 'end');
    socket.destroy();
  });

  it('behind a request gets its answer', async () => {
    const connection = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const socket = connectTls({ socket: connection, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.end('GET /xapi/about HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*answered$/s);
  });
});
