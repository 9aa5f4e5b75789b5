import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy whose network can go silent: packets are dropped, and nobody is told. */
export interface SilentProxy {
  readonly port: number;
  /** Forwards nothing from now on, on no connection. */
  fallSilent(): void;
  /** Forwards what clients send, but no answers. */
  dropAnswers(): void;
  /** Forwards the next message of a client that holds the text, and nothing after that. */
  fallSilentAfter(text: string): void;
  /** Forwards what comes on new connections; those from before stay silent. */
  recover(): void;
  close(): Promise<void>;
}

export async function openSilentProxy(target: { host: string; port: number }): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let lost = new Set<Socket>();
  let silent = false;
  let unanswered = false;
  let last: string | undefined;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const forward = (from: Socket, to: Socket, fromClient: boolean): void => {
    from.on('data', (chunk) => {
      if (silent || lost.has(from) || (unanswered && !fromClient)) return;
      to.write(chunk);
      if (fromClient && last !== undefined && chunk.includes(last)) silent = true;
    });
    from.on('close', () => {
      if (!silent && !lost.has(from)) to.destroy();
    });
  };
  // A client that ends its side is not answered either while the network is silent.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    const upstream = connect({ ...target, allowHalfOpen: true });
    keep(upstream);
    client.on('end', () => !silent && !lost.has(client) && upstream.end());
    upstream.on('end', () => !silent && !lost.has(upstream) && client.end());
    forward(client, upstream, true);
    forward(upstream, client, false);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    fallSilent: () => {
      silent = true;
    },
    dropAnswers: () => {
      unanswered = true;
    },
    fallSilentAfter: (text) => {
      last = text;
    },
    recover: () => {
      lost = new Set(sockets);
      silent = false;
      unanswered = false;
      last = undefined;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
