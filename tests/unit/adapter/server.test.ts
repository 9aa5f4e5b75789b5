import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { LambdaHandler } from '../../../lib/adapter/listener.ts';
import { type RunningServer, startServer } from '../../../lib/adapter/server.ts';
import { openHandler } from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { limitsWith } from '../../support/limits.ts';
import { rawClient } from '../../support/raw-client.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';
import { conditionLimit } from '../../support/time-limits.ts';

const maxBodyBytes = 1024;
const limits = limitsWith();
const open = standInLrs({ LRS_MAX_BODY_BYTES: String(maxBodyBytes) });

/** Tells what arrived. */
const echo = openHandler(
  open,
  async ({ method, path, query, headers, body, client }) =>
    json(200, {
      method,
      path,
      query: [...query],
      type: headers['content-type'],
      body: body.toString('base64'),
      client,
    }),
  { readsBody: true },
);

let server: RunningServer | undefined;

async function start(route: LambdaHandler = echo): Promise<RunningServer> {
  const onFailure = (): void => {};
  server = await startServer({ host: '127.0.0.1', port: 0 }, { route: () => route, limits, onFailure });
  return server;
}

afterEach(() => server?.stop(0));

/** Sends bytes as they are and collects what comes back until the server closes, or falls silent once it has answered. */
async function raw(port: number, text: string | Buffer, firstAnswer = conditionLimit): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(text);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    socket.setTimeout(1000);
  });
  socket.on('error', () => {});
  socket.setTimeout(firstAnswer, () => socket.destroy());
  await once(socket, 'close');
  return received;
}

/** Sends complete requests, ends this side of the connection and collects what comes back until the server ends its own. */
async function answersTo(port: number, requests: string): Promise<string> {
  const one = await rawClient(port);
  one.socket.end(requests);
  await one.ended();
  return one.received;
}

describe('the Node adapter', () => {
  it('gives handlers the request as it came', async () => {
    const { url } = await start();
    const bytes = Buffer.from([0, 255, 128, 13, 10]);
    const answer = await fetch(`${url}/xapi/%C3%A9?a=1%202&a=3`, {
      method: 'PUT',
      body: bytes,
      headers: { 'content-type': 'image/png' },
    });
    expect(await answer.json()).toEqual({
      method: 'PUT',
      path: '/xapi/é',
      query: [
        ['a', '1 2'],
        ['a', '3'],
      ],
      type: 'image/png',
      body: bytes.toString('base64'),
      client: '127.0.0.1',
    });
  });

  it('sends bytes unchanged and answers of 204 without a body', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const binary = openHandler(open, async () => ({
      statusCode: 200,
      headers: { 'Content-Type': 'image/png' },
      body: bytes,
    }));
    const { url } = await start(binary);
    const answer = await fetch(url);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    expect(answer.headers.get('content-length')).toBe('256');
    await server?.stop(0);
    const empty = await start(openHandler(open, async () => ({ statusCode: 204, headers: {} })));
    const { status, headers } = await fetch(empty.url);
    expect([status, headers.get('content-length')]).toEqual([204, null]);
  });

  it('answers HEAD with the length of what GET would have sent', async () => {
    const { url } = await start(openHandler(open, async () => json(200, { a: 'é' })));
    const { headers } = await fetch(url, { method: 'HEAD' });
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength('{"a":"é"}')));
  });

  it('keeps connections alive', async () => {
    const { port } = await start();
    const request = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';
    const answers = await answersTo(port, request + request);
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  it('takes the path out of an absolute address', async () => {
    const { port } = await start();
    expect(await answersTo(port, 'GET http://other.example/a?b=1 HTTP/1.1\r\nHost: x\r\n\r\n')).toContain(
      '"path":"/a","query":[["b","1"]]',
    );
  });

  it.each([
    ['http://other.example/a', 'other.example'],
    ['http://someone@other.example:8080/a', 'other.example:8080'],
    ['/a', 'x'],
  ])(
    'is asked at the host that the target %s names, else at that of the header Host',
    async (target, host) => {
      const tellHost = openHandler(open, async ({ headers }) => json(200, { host: headers.host }));
      const { port } = await start(tellHost);
      expect(await answersTo(port, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain(
        `"host":"${host}"`,
      );
    },
  );
});

describe('a body above the limit', () => {
  it('is refused by its announced length without being read', async () => {
    const { port } = await start();
    const answer = await raw(port, `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/Connection: close/i);
    expect(answer).toMatch(/"error":"The request body is larger than the 1024 bytes/);
  });

  it('is refused when it turns out so', async () => {
    const { port } = await start();
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
    const answer = await raw(
      port,
      `POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}${chunk}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is not asked for', async () => {
    const { port } = await start();
    const head = 'POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ';
    expect(await raw(port, `${head}1000000\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
    expect(await raw(port, `${head}5\r\n\r\n`)).toMatch(/^HTTP\/1\.1 100 /);
  });
});

describe('what is not HTTP', () => {
  it.each([
    ['a text', 'hello\r\n\r\n', 400],
    ['TLS on the plain port', Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00]), 400],
    ['two lengths', 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na', 400],
    [
      'a length and chunks',
      'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a bad chunk', 'POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['HTTP/0.9', 'GET /a\r\n\r\n', 400],
    ['HTTP/0.9 by name', 'GET /a HTTP/0.9\r\n\r\n', 400],
    ['HTTP/2.0', 'GET /a HTTP/2.0\r\nHost: x\r\n\r\n', 400],
    ['no Host', 'GET /a HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', 'GET /a HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n', 400],
    [
      'no Host, waiting to go on',
      'POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na',
      400,
    ],
    ['a control character in a header', 'GET /a HTTP/1.1\r\nHost: x\r\nA: \u0001\r\n\r\n', 400],
    ['endless headers', `GET /a HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405],
  ])('is answered with JSON and the next request is served: %s', async (_, sent, status) => {
    const { port, url } = await start();
    const answer = await raw(port, sent);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\n\r\n\{"error":".+"\}$/);
    expect((await fetch(url)).status).toBe(200);
  });

  it('does not disturb the answer to the request before it, which is the last one', async () => {
    const { port } = await start();
    const post = 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na';
    const answers = await raw(port, `${post}bytes beyond it\r\n\r\n`);
    expect(answers).toMatch(/^HTTP\/1\.1 200 /);
    expect(answers).toMatch(/Connection: close/i);
    expect(answers.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('leaves the server standing when a client goes away in the middle of a body', async () => {
    const { port, url } = await start();
    await raw(port, 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc', 50);
    expect((await fetch(url)).status).toBe(200);
  });
});

describe('a request with an Upgrade header', () => {
  const upgrade =
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAA\r\n';
  const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  const paths = (answers: string): string[] =>
    [...answers.matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path ?? '');

  it('is answered as HTTP/1.1, and so is every request around it, in order', async () => {
    const { port } = await start();
    const sent = get('/a') + get('/b', upgrade) + get('/c') + get('/d', upgrade) + get('/e');
    const answers = await answersTo(port, sent);
    expect(paths(answers)).toEqual(['/a', '/b', '/c', '/d', '/e']);
    expect(answers).not.toMatch(/Connection: close/i);
  });

  it('keeps its body apart from the request behind it', async () => {
    const { port } = await start();
    const post = `POST /a HTTP/1.1\r\nHost: x\r\n${upgrade}Content-Length: 4\r\n\r\nbody`;
    const answers = await answersTo(port, post + get('/b'));
    expect(paths(answers)).toEqual(['/a', '/b']);
    expect(answers).toContain(`"body":"${Buffer.from('body').toString('base64')}"`);
  });
});

describe('a request with very many headers', () => {
  const bomb = Array.from({ length: 3000 }, (_, index) => `a${index}: b\r\n`).join('');
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n';
  const withHidden = (more: string): string =>
    `POST /bomb HTTP/1.1\r\nHost: x\r\n${more}${bomb}Content-Length: ${hidden.length}\r\n\r\n${hidden}`;

  it.each([
    ['by itself', '', withHidden('')],
    ['pipelined', 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n', withHidden('')],
    ['with Upgrade', '', withHidden('Connection: upgrade\r\nUpgrade: websocket\r\n')],
  ])('is refused, and its body is not taken for a request: %s', async (_, before, request) => {
    const { port } = await start();
    const answers = await raw(port, before + request);
    expect(answers.match(/HTTP\/1\.1 \d+/g)?.at(-1)).toBe('HTTP/1.1 431');
    expect(answers).not.toContain('/hidden');
    expect(answers).not.toContain('/bomb');
  });
});

describe('CONNECT behind a request that is not answered yet', () => {
  it('is refused after the answer to that request', async () => {
    const { port } = await start();
    const answers = await answersTo(
      port,
      'GET /a HTTP/1.1\r\nHost: x\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
    );
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 405']);
  });
});

describe('stopping', () => {
  it('finishes what is in flight and takes nothing new', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = false;
    const slow = openHandler(open, async () => {
      arrived = true;
      await released;
      return json(200, { late: true });
    });
    const { url, stop } = await start(slow);
    const inFlight = fetch(url);
    await expect.poll(() => arrived).toBe(true);
    const stopped = stop(conditionLimit);
    await expect(fetch(url)).rejects.toThrow();
    release();
    expect(await (await inFlight).json()).toEqual({ late: true });
    await stopped;
  });

  it('does not wait longer than it may', async () => {
    let arrived = false;
    const { url, stop } = await start(() => {
      arrived = true;
      return new Promise(() => {});
    });
    const inFlight = fetch(url).catch(() => 'cut off');
    await expect.poll(() => arrived).toBe(true);
    await stop(100);
    expect(await inFlight).toBe('cut off');
  });

  it('drops a connection whose handler fails, and serves the next', async () => {
    let calls = 0;
    const failing: LambdaHandler = async (event) => {
      calls += 1;
      if (calls === 1) throw new Error('a handler must not throw');
      return echo(event);
    };
    const { url } = await start(failing);
    await expect(fetch(url)).rejects.toThrow();
    expect((await fetch(url)).status).toBe(200);
  });
});
