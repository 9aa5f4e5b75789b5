import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { XapiClient } from '../../../../lib/transfer/http/client.ts';
import { httpTarget } from '../../../../lib/transfer/http/http-target.ts';
import { xapiSource } from '../../../../lib/transfer/http/xapi-source.ts';
import { statement } from '../../../support/statements.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const json =
  (body: unknown): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const redirect: Answer = (response) =>
  response.writeHead(301, { location: 'https://user:secret@other.example/xapi/statements?a=b' }).end();

describe('an LRS of another program', () => {
  const servers: ReturnType<typeof createServer>[] = [];
  let requests: string[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serving(answer: Answer): Promise<string> {
    requests = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => answer(response, request));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return `http://key:secret@127.0.0.1:${port}/xapi`;
  }

  async function readAll(answer: Answer): Promise<string[]> {
    const places: string[] = [];
    for await (const { place } of xapiSource(await serving(answer)).entries()) places.push(place);
    return places;
  }

  async function store(answer: Answer) {
    const target = httpTarget(await serving(answer), { dry: false });
    const record = { kind: 'statement', json: Buffer.from(JSON.stringify(statement())), parts: [] } as const;
    return (await target.prepareStatements([record]))();
  }

  it('that redirects is refused with the address to use, and nothing counts as stored', async () => {
    const message = /answers 301 and leads to https:\/\/other\.example\/xapi\/statements: give the address/;
    await expect(store(redirect)).rejects.toThrow(message);
    expect(requests).toEqual(['POST /xapi/statements']);
    await expect(readAll(redirect)).rejects.toThrow(message);
    expect(requests).toHaveLength(1);
  });

  it.each([[[]], [{ statements: [] }], [['00000000-0000-4000-8000-000000000000']], [null]])(
    'that answers a POST with %j has stored nothing',
    async (body) => {
      await expect(store(json(body))).rejects.toThrow('not with the ids of the statements that it was sent');
    },
  );

  it('is found at the address of its statements, too', async () => {
    const url = `${await serving(json({ statements: [], more: '' }))}/statements/`;
    expect(xapiSource(url).name).toBe(`${new URL(url).origin}/xapi`);
    for await (const _ of xapiSource(url).entries()) break;
    expect(requests).toEqual([expect.stringMatching(/^GET \/xapi\/statements\?/)]);
  });

  it('that has no statements at its address is said to have no xAPI there, with what to give', async () => {
    const nothing: Answer = (response) =>
      response.writeHead(404).end('There is nothing at /xapi/statements.');
    await expect(readAll(nothing)).rejects.toThrow(
      /\/xapi has no xAPI: give the address below which an LRS has \/statements, such as http:\S+\/xapi\.$/,
    );
  });

  it.each([
    '?more=x',
    'statements?more=x',
    '/xapi/statements?more=x',
    '//elsewhere.example/xapi/statements?more=x',
  ])('is asked for further pages at its own address: %s', async (more) => {
    const pages: Answer = (response, request) =>
      json({ statements: [statement()], more: request.url?.endsWith('=x') ? '' : more })(response, request);
    expect(await readAll(pages)).toHaveLength(2);
    expect(requests[1]).toBe('GET /xapi/statements?more=x');
  });

  it('that has nothing where it leads to is said to be behind a proxy that changes its paths', async () => {
    const pages: Answer = (response, request) =>
      request.url?.startsWith('/xapi/')
        ? json({ statements: [], more: '/lrs/xapi/statements?more=x' })(response, request)
        : response.writeHead(404).end();
    await expect(readAll(pages)).rejects.toThrow(
      /has no further page at \/lrs\/xapi\/statements\?more=x, to which it leads: where a proxy changes its paths, give/,
    );
  });

  it('that answers with a page for people is said to give no page of statements', async () => {
    const page: Answer = (response) => response.writeHead(200).end('<html>');
    await expect(readAll(page)).rejects.toThrow('something that is not a page of statements');
  });

  it.each([[null], [5], [{}], [{ statements: 'x' }], [{ statements: [], more: 5 }]])(
    'that answers a GET with %j is said to give no page',
    async (body) => {
      await expect(readAll(json(body))).rejects.toThrow('something that is not a page of statements');
    },
  );

  it('that gives the same page again is left', async () => {
    const answer = json({ statements: [], more: '/xapi/statements?more=x' });
    await expect(readAll(answer)).rejects.toThrow(/does not come to an end: it leads to .*more=x again/);
    expect(requests).toHaveLength(2);
  });

  it('that leads from page to page in a circle is left', async () => {
    const circle: Answer = (response, request) => {
      const more = `/xapi/statements?more=${request.url?.endsWith('=x') ? 'y' : 'x'}`;
      json({ statements: [statement()], more })(response, request);
    };
    await expect(readAll(circle)).rejects.toThrow(/does not come to an end: it leads to .*more=x again/);
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['a redirect', (response: ServerResponse) => response.writeHead(302, { location: 'http://[' }).end()],
    ['a link', json({ statements: [], more: 'http://[' })],
    ['a link of another scheme', json({ statements: [], more: 'x:.elsewhere.example/xapi/statements' })],
    ['a link with a port', json({ statements: [], more: 'x::1/xapi/statements' })],
  ])('that leads to no address by %s is left at once', async (_, answer) => {
    await expect(readAll(answer)).rejects.toThrow(/leads to (http:\/\/\[|x:\S+), which is no address/);
    expect(requests).toHaveLength(1);
  });

  it('that answers with more than fits into memory is left', async () => {
    const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const bomb: Answer = (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      for (let sent = 0; sent < 16; sent += 1) response.write(zeros);
      response.end();
    };
    await expect(readAll(bomb)).rejects.toThrow(/answers with more than \d+ bytes/);
  });

  it('that gives statements with odd times is read on from the last time that is one', async () => {
    const times = ['2024-01-01T00:00:00Z', 5, 'yesterday'];
    const answer = json({ statements: times.map((stored) => ({ ...statement(), stored })), more: '' });
    const cursors: unknown[] = [];
    for await (const { cursor } of xapiSource(await serving(answer)).entries()) cursors.push(cursor);
    expect(cursors).toEqual([times[0], times[0], times[0]]);
  });

  it('is asked many times without a listener for each request', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => {
      warnings.push(name);
    };
    process.on('warning', note);
    const client = new XapiClient(await serving(json({})), '--from');
    for (let sent = 0; sent < 1600; sent += 1) await client.send({ path: '/statements' });
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('that never ends its empty pages is left', async () => {
    let page = 0;
    const endless: Answer = (response, request) => {
      page += 1;
      json({ statements: [], more: `/xapi/statements?more=${page}` })(response, request);
    };
    await expect(readAll(endless)).rejects.toThrow('does not come to an end');
  });

  it('that gives the same statements on ever more pages is left', async () => {
    let page = 0;
    const same = [statement(), statement()];
    const endless: Answer = (response, request) => {
      page += 1;
      const statements = page % 2 === 0 ? same : same.slice(1);
      json({ statements, more: `/xapi/statements?more=${page}` })(response, request);
    };
    await expect(readAll(endless)).rejects.toThrow(
      /does not come to an end: its last 1000 pages have no statement that is new/,
    );
  });

  it('that sends an answer byte by byte is left, and named without its key pair', async () => {
    const slow: Answer = (response) => {
      response.writeHead(200).write('{"statements":[');
      const drip = setInterval(() => response.write(' '), 5);
      response.once('close', () => clearInterval(drip));
    };
    const client = new XapiClient(await serving(slow), '--from', 100);
    await expect(client.send({ path: '/statements' })).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:\d+\/xapi answers too slowly: fewer than 30000 bytes in 0\.1 seconds\.$/,
    );
    expect(requests).toHaveLength(1);
  });

  it('that gives statements without ids tells them apart by their numbers', async () => {
    const { id: _, ...without } = statement();
    expect(await readAll(json({ statements: [without, 5, without], more: '' }))).toEqual([
      'statement number 1 without an id',
      'statement number 2 without an id',
      'statement number 3 without an id',
    ]);
  });

  it('that does not answer holds up no import that is interrupted', async () => {
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const source = xapiSource(await serving(() => arrive()));
    const next = source.entries()[Symbol.asyncIterator]().next();
    await arrived;
    source.interrupt?.();
    expect(await next).toEqual({ value: undefined, done: true });
  });

  it.each(['https://', 'https://key:100%@lrs.example/xapi', 'https://key:12/34@lrs.example/xapi'])(
    'at the address %s names the option',
    (url) => {
      expect(() => xapiSource(url)).toThrow('The address of --from cannot be read');
      expect(() => httpTarget(url, { dry: false })).toThrow('The address of --to cannot be read');
    },
  );
});
