import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { vi } from 'vitest';
import { conditionLimit } from './time-limits.ts';

/** A connection that sends bytes as they are, and what has come back on it. */
export class RawClient {
  received = '';
  readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
  }

  send(text: string): Promise<void> {
    return new Promise((resolve) => this.socket.write(text, () => resolve()));
  }

  /** The statuses, once there are so many answers. */
  async statuses(count: number): Promise<string[]> {
    await vi.waitUntil(() => this.#found().length >= count, { timeout: conditionLimit, interval: 5 });
    return this.#found();
  }

  /** Resolves when the server has ended the connection. */
  async ended(): Promise<void> {
    const { socket } = this;
    if (!socket.destroyed && !socket.readableEnded)
      await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  }

  #found(): string[] {
    return this.received.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];
  }
}

/** Opens a connection to a port of this machine, which the client itself leaves open for sending whatever the server does. */
export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const client = new RawClient(socket);
  await once(socket, 'connect');
  return client;
}
