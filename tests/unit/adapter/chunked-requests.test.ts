import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type KeyPair, loadKeyPair } from '../../../lib/adapter/certificate.ts';
import { type RunningServer, startServer } from '../../../lib/adapter/server.ts';
import { openHandler } from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { createLogger } from '../../../lib/logger.ts';
import { limitsWith } from '../../support/limits.ts';
import { RawClient, rawClient } from '../../support/raw-client.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';

const open = standInLrs();
/** What a request to `/slow` waits for. */
let released = Promise.resolve();
let slowRequests = 0;
/** Tells what arrived. */
const echo = openHandler(
  open,
  async ({ method, path, body }) => {
    if (path === '/slow') {
      slowRequests += 1;
      await released;
    }
    return json(200, { seen: `${method} ${path} ${body.toString('latin1')}` });
  },
  { readsBody: true },
);

const post = (path: string, framed: string, headers = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}Transfer-Encoding: chunked\r\n\r\n${framed}`;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const seen = ({ received }: RawClient): string[] =>
  [...received.matchAll(/"seen":"([^"]+)"/g)].map(([, text]) => text?.trim() ?? '');

describe.each(['http', 'https'])('a request over %s', (scheme) => {
  let directory: string;
  let keyPair: KeyPair | undefined;
  let server: RunningServer;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'chunks-'));
    const files = {
      keyPkeyFile: join(directory, 'key.pem'),
      keyCertChain: [join(directory, 'cert.pem')],
      keyEnableSelfie: true,
    };
    if (scheme === 'https') keyPair = await loadKeyPair(files, createLogger('OFF'));
    const onFailure = (error: unknown): never => {
      throw error;
    };
    server = await startServer(
      { host: '127.0.0.1', port: 0 },
      { route: () => echo, limits: limitsWith(), onFailure },
      keyPair,
    );
  });
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await server.stop(0);
    rmSync(directory, { recursive: true });
  });

  async function client(): Promise<RawClient> {
    const plain = await rawClient(server.port);
    clients.push(plain);
    if (scheme === 'http') return plain;
    plain.socket.removeAllListeners('data');
    const secure = connectTls({ socket: plain.socket, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    return new RawClient(secure);
  }

  it('with chunks has the body that they make up, whole or byte by byte', async () => {
    const text = post('/a', '3\r\nabc\r\n1\r\nd\r\n0\r\nA: b\r\n\r\n');
    const [whole, bytes] = [await client(), await client()];
    await whole.send(text);
    for (const byte of text) await bytes.send(byte);
    for (const one of [whole, bytes]) {
      expect(await one.statuses(1)).toEqual(['200']);
      expect(seen(one)).toEqual(['POST /a abcd']);
    }
  });

  it('with chunks is followed by others on the same connection, with and without chunks, in order', async () => {
    const one = await client();
    const round = (name: string): string =>
      post(`/${name}1`, '1\r\na\r\n0\r\n\r\n') +
      get(`/${name}2`) +
      post(`/${name}3`, '2\r\nbc\r\n1\r\nd\r\n0\r\n\r\n') +
      post(`/${name}4`, '0\r\n\r\n', 'Connection: Upgrade\r\nUpgrade: h2c\r\n');
    const expected = (name: string): string[] => [
      `POST /${name}1 a`,
      `GET /${name}2`,
      `POST /${name}3 bcd`,
      `POST /${name}4`,
    ];
    await one.send(round('a') + round('b'));
    await one.statuses(8);
    await one.send(round('c'));
    await one.statuses(12);
    expect(seen(one)).toEqual(['a', 'b', 'c'].flatMap(expected));
    expect(one.received).not.toMatch(/connection: close/i);
  });

  it('with chunks is read on once the response before it is sent, however long they are', async () => {
    const one = await client();
    const large = 'x'.repeat(60_000);
    const framed = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    for (let round = 0; round < 3; round += 1) await one.send(post(`/${round}`, framed));
    expect(await one.statuses(3)).toEqual(['200', '200', '200']);
  });

  it.each([
    ['a length', 'POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe', 'llo'],
    ['chunks', post('/2', '5\r\nhe'), 'llo\r\n0\r\n\r\n'],
  ])('keeps its body while it waits for the response before it: %s', async (_, start, rest) => {
    let release = (): void => {};
    released = new Promise((resolve) => {
      release = resolve;
    });
    slowRequests = 0;
    const one = await client();
    await one.send(`POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc${start}`);
    await expect.poll(() => slowRequests).toBe(1);
    await one.send(rest);
    const other = await client();
    await other.send(get('/other'));
    await other.statuses(1);
    release();
    expect(await one.statuses(2)).toEqual(['200', '200']);
    expect(seen(one)).toEqual(['POST /slow abc', 'POST /2 hello']);
  });

  it('with small chunks reaches Node.js in large ones', async () => {
    let pieces = 0;
    const count = (published: unknown): void => {
      const { request } = published as { request: { push(piece: Buffer | null): boolean } };
      const push = request.push.bind(request);
      request.push = (piece) => {
        if (piece !== null) pieces += 1;
        return push(piece);
      };
    };
    subscribe('http.server.request.start', count);
    const one = await client();
    await one.send(post('/a', `${'1\r\nx\r\n'.repeat(900)}0\r\n\r\n`));
    expect(await one.statuses(1)).toEqual(['200']);
    unsubscribe('http.server.request.start', count);
    expect(seen(one)).toEqual([`POST /a ${'x'.repeat(900)}`]);
    expect(pieces).toBeLessThan(10);
  });

  it('with chunks is asked to go on when it waits for that', async () => {
    const one = await client();
    await one.send(post('/a', '', 'Expect: 100-continue\r\n'));
    expect(await one.statuses(1)).toEqual(['100']);
    await one.send('1\r\na\r\n0\r\n\r\n');
    expect(await one.statuses(2)).toEqual(['100', '200']);
  });

  it('with chunks is refused once it is larger than the limit', async () => {
    const one = await client();
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    await one.send(post('/a', chunk.repeat(2)));
    await one.send(chunk.repeat(2));
    expect(await one.statuses(1)).toEqual(['413']);
    await one.ended();
  });

  it.each([
    ['a malformed chunk', post('/a', 'zz\r\n'), '400', 'RFC 9112 7.1'],
    ['very many small chunks', post('/a', '1\r\nx\r\n'.repeat(2000)), '400', 'chunks of fewer than 64 bytes'],
    ['a long extension', post('/a', `1;${'x'.repeat(20_000)}`), '400', 'extensions and trailers'],
    ['an unknown coding', post('/a', '0\r\n\r\n', 'Transfer-Encoding: gzip\r\n'), '501', 'Transfer-Encoding'],
    ['no coding that ends', post('/a', 'ab').replace('chunked', 'gzip'), '400', 'RFC 9112 6.3'],
    ['chunks of HTTP/1.0', post('/a', '0\r\n\r\n').replace('1.1', '1.0'), '400', 'needs HTTP/1.1'],
  ])('is refused with %s, and so is what follows it', async (_, sent, status, reason) => {
    for (const before of ['', get('/before')]) {
      const one = await client();
      void one.send(before + sent + get('/hidden'));
      await one.ended();
      expect(await one.statuses(1)).toEqual(before === '' ? [status] : ['200', status]);
      expect(one.received).toContain(reason);
      expect(one.received).not.toContain('/hidden');
    }
  });

  it('with chunks is refused when a malformed one comes later', async () => {
    const one = await client();
    await one.send(post('/a', '5\r\nab'));
    await one.send('cdeX\r\n');
    expect(await one.statuses(1)).toEqual(['400']);
    expect(one.received).toContain('RFC 9112 7.1');
    await one.ended();
  });

  it.each([
    ['a length as well', 'Content-Length: 5\r\n'],
    ['chunks in chunks', 'Transfer-Encoding: chunked\r\n'],
  ])('is refused with %s, and so is what follows it', async (_, header) => {
    const one = await client();
    await one.send(post('/a', '0\r\n\r\n', header) + get('/hidden'));
    await one.ended();
    expect(await one.statuses(1)).toEqual(['400']);
  });

  it.each([
    ['with one request', get('/1'), ['GET /1']],
    ['with a body', 'POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na', ['POST /1 a']],
    ['with chunks', post('/1', '1\r\na\r\n0\r\n\r\n'), ['POST /1 a']],
    ['with pipelined requests', get('/1') + get('/2') + get('/3'), ['GET /1', 'GET /2', 'GET /3']],
    [
      'with pipelined requests and chunks',
      get('/1') + post('/2', '1\r\na\r\n0\r\n\r\n') + post('/3', '0\r\n\r\n'),
      ['GET /1', 'POST /2 a', 'POST /3'],
    ],
  ])(
    'is answered when the client ends its side of the connection, then the connection ends: %s',
    async (_, sent, expected) => {
      const one = await client();
      one.socket.end(sent);
      await one.ended();
      expect(seen(one)).toEqual(expected);
    },
  );

  it('is not answered when the client ends its side within the body', async () => {
    const one = await client();
    one.socket.end(post('/1', '5\r\nab'));
    await one.ended();
    expect(await one.statuses(1)).toEqual(['400']);
  });
});
