import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { sendTo, settings } from '../support/entrance.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

const host = 'Host: x\r\n';

/** What a client has sent when it misbehaves. */
const states: readonly (readonly [string, string | Buffer])[] = [
  ['nothing', ''],
  ['half a request line', 'GET /xapi/ab'],
  ['a request line', 'GET /xapi/about HTTP/1.1\r\n'],
  ['half a header', `GET /xapi/about HTTP/1.1\r\n${host}X-A: b`],
  ['a request', `GET /xapi/about HTTP/1.1\r\n${host}\r\n`],
  ['pipelined requests', `GET /xapi/about HTTP/1.1\r\n${host}\r\n`.repeat(20)],
  ['HTTP/0.9', 'GET /xapi/about\r\n\r\n'],
  ['CONNECT', `CONNECT a:1 HTTP/1.1\r\n${host}\r\n`],
  ['CONNECT and a tunnel', `CONNECT a:1 HTTP/1.1\r\n${host}\r\n${'x'.repeat(100_000)}`],
  ['CONNECT behind a request', `GET /xapi/about HTTP/1.1\r\n${host}\r\nCONNECT a:1 HTTP/1.1\r\n${host}\r\n`],
  ['Upgrade', `GET /xapi/about HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  [
    'Upgrade and half a body',
    `POST /xapi/statements HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 9\r\n\r\n{}`,
  ],
  [
    'Expect: 100-continue',
    `POST /xapi/statements HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  ],
  ['another Expect', `POST /xapi/statements HTTP/1.1\r\n${host}Expect: b\r\nContent-Length: 9\r\n\r\n`],
  ['half a body', `POST /xapi/statements HTTP/1.1\r\n${host}Content-Length: 9\r\n\r\n{}`],
  ['half of a login', `POST /admin/account/login HTTP/1.1\r\n${host}Content-Length: 9\r\n\r\n{}`],
  ['half a chunk', `POST /xapi/statements HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n9\r\n{}`],
  ['a bad chunk', `POST /xapi/statements HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}`],
  [
    'a body above every limit',
    `POST /a HTTP/1.1\r\n${host}Content-Length: 99999999999\r\n\r\n${'x'.repeat(100_000)}`,
  ],
  ['endless headers', `GET / HTTP/1.1\r\n${host}X-A: ${'a'.repeat(100_000)}`],
  ['garbage', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256))],
  ['half a TLS record', Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00])],
];

/** What it does then. A stalled connection is left open until the end of the test. */
const endings: Readonly<Record<string, (socket: Socket) => void>> = {
  reset: (socket) => socket.resetAndDestroy(),
  'half-close': (socket) => socket.end(),
  stall: () => {},
};

const withoutEnd = (): void => {};

async function open(scheme: string, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', withoutEnd);
  await once(socket, 'connect');
  if (scheme !== 'https') return socket;
  const secure = connectTls({ socket, rejectUnauthorized: false }).on('error', withoutEnd);
  await once(secure, 'secureConnect');
  // A reset has to reach the connection itself: under TLS it is another object.
  secure.resetAndDestroy = () => {
    socket.resetAndDestroy();
    return secure;
  };
  return secure;
}

async function misbehave(scheme: string, port: number): Promise<Socket[]> {
  const left: Socket[] = [];
  for (const [, sent] of states) {
    for (const end of Object.values(endings)) {
      const socket = await open(scheme, port);
      left.push(socket);
      await new Promise((resolve) => socket.write(sent, resolve));
      end(socket);
    }
  }
  return left;
}

describe.each([
  ['one process', []],
  ['two workers', ['--workers', '2']],
])('no state of a connection that is reset, half-closed or stalled ends the server: %s', (_, args) => {
  let directory: string;
  let server: ServerProcess;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'connections-'));
    server = startServerProcess({
      directory,
      program: builtProgram('serve'),
      env: settings(directory),
      args,
    });
    await server.firstLine();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    server.child.kill('SIGTERM');
    await server.exit();
    rmSync(directory, { recursive: true });
  });

  it.each(['http', 'https', 'bytes to https'])('%s', async (scheme) => {
    const line = await server.firstLine();
    const address = new RegExp(`${scheme.replace(/.* /, '')}://\\S+`).exec(line)?.[0] ?? '';
    sockets.push(...(await misbehave(scheme, Number(new URL(address).port))));
    // Two workers take connections in turn.
    for (let count = 0; count < 4; count += 1) {
      const answer = await sendTo(address, { method: 'GET', path: '/xapi/about', headers: {} });
      expect(answer.status).toBe(200);
    }
    expect(server.child.exitCode).toBe(null);
    expect(server.out() + server.err()).not.toMatch(/worker has ended|unhandled|uncaught/i);
  });
});
