import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadKeyPair } from '../../../lib/adapter/certificate.ts';
import { type ConnectionLimit, Connections } from '../../../lib/adapter/connections.ts';
import type { Limits } from '../../../lib/adapter/limits.ts';
import { type RunningServer, startServer } from '../../../lib/adapter/server.ts';
import { openHandler } from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { createLogger } from '../../../lib/logger.ts';
import { limitsWith } from '../../support/limits.ts';
import { RawClient, rawClient } from '../../support/raw-client.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';
import { conditionLimit } from '../../support/time-limits.ts';

const handler = openHandler(standInLrs(), async () => json(200, {}), { readsBody: true });
const request = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';

const servers: RunningServer[] = [];
const refused: string[] = [];
const clients: RawClient[] = [];

afterEach(async () => {
  refused.length = 0;
  for (const { socket } of clients.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.stop(0)));
});

async function start(env: Readonly<Record<string, string>>, https = false) {
  const limits = limitsWith(env);
  return { limits, port: await startWith(limits, https) };
}

async function startWith(limits: Limits, https = false): Promise<number> {
  const options = {
    route: () => handler,
    limits,
    onFailure: () => {},
    onRefused: ({ title }: ConnectionLimit) => refused.push(title),
  };
  const server = await startServer(
    { host: '127.0.0.1', port: 0 },
    options,
    https ? await keyPair() : undefined,
  );
  servers.push(server);
  return server.port;
}

async function keyPair() {
  const directory = mkdtempSync(join(tmpdir(), 'certificate-'));
  const files = { keyPkeyFile: join(directory, 'key.pem'), keyCertChain: ['cert.pem'] };
  const pair = await loadKeyPair({ ...files, keyEnableSelfie: true }, createLogger('OFF'));
  rmSync(directory, { recursive: true });
  return pair;
}

async function client(port: number): Promise<RawClient> {
  const made = await rawClient(port);
  clients.push(made);
  return made;
}

/** A connection with a request whose body the server waits for. */
async function busyClient(port: number): Promise<RawClient> {
  const made = await client(port);
  await made.send('POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
  expect(await made.statuses(1)).toEqual(['100']);
  return made;
}

const waiting = { timeout: conditionLimit, interval: 5 };

describe('the limit of connections', () => {
  it('holds for all ports together; what is above it is answered 503 and closed, and places become free again', async () => {
    const { limits, port } = await start({ LRS_MAX_CONNECTIONS: '3' });
    const otherPort = await startWith(limits);
    const open = [await busyClient(port), await busyClient(port), await busyClient(otherPort)];
    for (const excess of [await client(port), await client(otherPort)]) {
      await excess.send(request);
      expect(await excess.statuses(1)).toEqual(['503']);
      expect(excess.received).toMatch(
        /Retry-After: 1\r\n[\s\S]*Connection: close\r\n[\s\S]*webserver\.maxConnections \(LRS_MAX_CONNECTIONS\) permits/,
      );
    }
    for (const one of open) await one.send('{}');
    for (const one of open) expect(await one.statuses(2)).toEqual(['100', '200']);
    open[0]?.socket.destroy();
    await vi.waitUntil(() => limits.connections.count === 2, waiting);
    const next = await client(port);
    await next.send(request);
    expect(await next.statuses(1)).toEqual(['200']);
  });

  it('closes connections above it that say nothing, and over HTTPS all of them', async () => {
    const { limits, port } = await start({ LRS_MAX_CONNECTIONS: '1' });
    const securePort = await startWith(limits, true);
    await busyClient(port);
    for (const place of [port, securePort]) {
      const excess = connect(place, '127.0.0.1').on('error', () => {});
      excess.resume();
      await once(excess, 'close');
    }
    expect(limits.connections.count).toBe(1);
  });

  it('closes an idle connection for a new one: one without a request first, and never one with a request in progress', async () => {
    const { limits, port } = await start({ LRS_MAX_CONNECTIONS: '3' });
    const busy = await busyClient(port);
    const served = await client(port);
    await served.send(request);
    expect(await served.statuses(1)).toEqual(['200']);
    const silent = await client(port);
    await vi.waitUntil(() => limits.connections.count === 3, waiting);
    for (const closed of [silent, served]) {
      const next = await busyClient(port);
      await closed.ended();
      await next.send('{}');
      expect(await next.statuses(2)).toEqual(['100', '200']);
      await next.send(request);
    }
    await busy.send('{}');
    expect(await busy.statuses(2)).toEqual(['100', '200']);
    expect(limits.connections.count).toBe(3);
    expect(refused).toEqual(Array(2).fill('webserver.maxConnections (LRS_MAX_CONNECTIONS)'));
  });

  it('closes idle connections over HTTPS, too, but none with a request in progress', async () => {
    const { limits, port } = await start({ LRS_MAX_CONNECTIONS: '2' }, true);
    const open = async (): Promise<RawClient> => {
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const made = new RawClient(socket);
      clients.push(made);
      return made;
    };
    const busy = await open();
    await busy.send('POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
    expect(await busy.statuses(1)).toEqual(['100']);
    const idle = await open();
    await idle.send(request);
    expect(await idle.statuses(1)).toEqual(['200']);
    const next = await open();
    await idle.ended();
    for (const [one, sent] of [
      [busy, '{}'],
      [next, request],
    ] as const)
      await one.send(sent);
    expect(await busy.statuses(2)).toEqual(['100', '200']);
    expect(await next.statuses(1)).toEqual(['200']);
    expect(limits.connections.count).toBe(2);
  });

  it('counts a connection once whose Upgrade was ignored', async () => {
    const { limits, port } = await start({ LRS_MAX_CONNECTIONS: '1' });
    const one = await client(port);
    await one.send(`GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n${request}`);
    expect(await one.statuses(2)).toEqual(['200', '200']);
    expect(limits.connections.count).toBe(1);
    one.socket.destroy();
    await vi.waitUntil(() => limits.connections.count === 0, waiting);
  });

  it('holds for each client address, but not behind a proxy', async () => {
    const one = await start({ LRS_MAX_CONNECTIONS_PER_ADDRESS: '1' });
    await client(one.port);
    await vi.waitUntil(() => one.limits.connections.count === 1, waiting);
    const excess = await client(one.port);
    await excess.send(request);
    expect(await excess.statuses(1)).toEqual(['503']);
    expect(excess.received).toContain(
      'webserver.maxConnectionsPerAddress (LRS_MAX_CONNECTIONS_PER_ADDRESS) permits',
    );
    await vi.waitUntil(() => refused.length === 1, waiting);
    const proxied = await start({ LRS_MAX_CONNECTIONS_PER_ADDRESS: '1', LRS_TRUST_PROXY: 'true' });
    await client(proxied.port);
    const second = await client(proxied.port);
    await second.send(request);
    expect(await second.statuses(1)).toEqual(['200']);
  });

  it('leaves file descriptors for the database', () => {
    const admitted = (descriptors: number): number => {
      const connections = new Connections({ maxConnections: 0, maxConnectionsPerAddress: 0 }, descriptors);
      const socket = { remoteAddress: '192.0.2.1', once: () => {} } as unknown as Socket;
      while (!connections.isFull) connections.admit(socket);
      return connections.count;
    };
    expect([admitted(1024), admitted(100)]).toEqual([896, 50]);
  });
});

describe('a connection that keeps the server waiting', () => {
  it.each([
    ['sends nothing', ''],
    ['sends half a request line', 'GET /a'],
    ['sends half of its headers', 'GET /a HTTP/1.1\r\nHost: x\r\n'],
    ['sends half a body', 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab'],
  ])('is answered 408 and closed, although the client leaves it open: it %s', async (_, sent) => {
    const { limits, port } = await start({ LRS_HEADERS_TIMEOUT: '200', LRS_REQUEST_TIMEOUT: '200' });
    const one = await client(port);
    await one.send(sent);
    expect(await one.statuses(1)).toEqual(['408']);
    await vi.waitUntil(() => limits.connections.count === 0, waiting);
  });

  it('is closed when it never begins with TLS', async () => {
    const { limits, port } = await start({ LRS_HEADERS_TIMEOUT: '200' }, true);
    const one = await client(port);
    await one.ended();
    await vi.waitUntil(() => limits.connections.count === 0, waiting);
  });

  it('is closed without a second answer when only the body is missing that nobody reads', async () => {
    // Long enough that a slow machine reads the headers in time.
    const { limits, port } = await start({ LRS_REQUEST_TIMEOUT: '2000' });
    const one = await client(port);
    await one.send(
      'POST /a HTTP/1.1\r\nHost: x\r\nOrigin: http://other.example\r\nContent-Length: 9\r\n\r\nab',
    );
    expect(await one.statuses(1)).toEqual(['403']);
    await vi.waitUntil(() => limits.connections.count === 0, waiting);
    expect(await one.statuses(1)).toEqual(['403']);
  });
});
