import dns from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { ReadSession } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { serverEngines } from '../support/engines.ts';

const name = 'database.example.org';
const one = (session: ReadSession) => session.select('SELECT 1 AS one');

/** A way to the server by another address. */
async function openDoor(address: string, port: number, target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let entered = 0;
  const keep = (socket: Socket): Socket =>
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  const server = createServer((client) => {
    entered += 1;
    const upstream = connect(target);
    for (const socket of [client, upstream]) sockets.add(keep(socket));
    client.pipe(upstream).pipe(client);
  }).listen(port, address);
  await once(server, 'listening');
  const shut = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(shut);
  return { port: (server.address() as AddressInfo).port, entered: () => entered, shut };
}

/** Has the name stand for an address, as an entry of DNS does. */
function resolveTo(address: () => string): void {
  const { lookup } = dns;
  const own = (host: string, options: dns.LookupOptions, done: (...results: unknown[]) => void): void => {
    if (host !== name) lookup(host, options, done);
    else if (options.all) process.nextTick(done, null, [{ address: address(), family: 4 }]);
    else process.nextTick(done, null, address(), 4);
  };
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(own as typeof dns.lookup);
  onTestFinished(() => spy.mockRestore());
}

describe.each(serverEngines)('the one name of $name servers that take over from each other', (engine) => {
  it('is resolved for each new connection, so the server that it moves to is used', async () => {
    const database = await engine.create();
    onTestFinished(() => database.remove());
    const { options } = database;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    const target = { host: options.dbHost, port: options.dbPort ?? 0 };
    const before = await openDoor('127.0.0.1', 0, target);
    const after = await openDoor('127.0.0.2', before.port, target);
    let address = '127.0.0.1';
    resolveTo(() => address);
    const db = await openDatabase({ ...options, dbHost: name, dbPort: before.port }, createLogger('OFF'));
    onTestFinished(() => db.close());
    expect(await db.read(one)).toEqual([{ one: 1 }]);
    expect([before.entered() > 0, after.entered()]).toEqual([true, 0]);
    address = '127.0.0.2';
    before.shut();
    for (const work of [() => db.read(one), () => db.write(one)]) {
      await expect.poll(() => work().catch(String)).toEqual([{ one: 1 }]);
    }
    expect(after.entered()).toBeGreaterThan(0);
  });
});
