import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy before a database that counts connections, and how often a client sends something after an answer: its round trips. */
export interface CountingProxy {
  readonly port: number;
  readonly roundTrips: () => number;
  readonly connections: () => number;
  close(): Promise<void>;
}

export async function openCountingProxy(target: { host: string; port: number }): Promise<CountingProxy> {
  const sockets = new Set<Socket>();
  let count = 0;
  let connections = 0;
  // Otherwise a small message waits for the confirmation of the one before it.
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ ...target, noDelay: true });
    connections += 1;
    let answered = true;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('data', () => {
      if (answered) count += 1;
      answered = false;
    });
    upstream.on('data', () => {
      answered = true;
    });
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    roundTrips: () => count,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
