import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Turns } from '../turns.ts';

/** TLS handshakes that begin in one turn of the event loop: each takes about a millisecond. */
const perTurn = 8;

/**
 * Begins TLS when the first bytes of a connection arrive, and on few connections in a turn of the event loop. A TLS socket costs
 * several times as much memory and processor time as the connection below it, also when it closes, so clients that send nothing
 * get none. To be called before other listeners for `connection` are there.
 * @param timeout milliseconds in which the first bytes have to arrive.
 */
export function beginHandshakes(server: Server, timeout: number): void {
  const nodeListeners = server.listeners('connection');
  server.removeAllListeners('connection');
  const turns = new Turns(perTurn);
  const begin = async (socket: Socket): Promise<void> => {
    await turns.take(1);
    if (socket.destroyed) return;
    for (const listener of nodeListeners) listener.call(server, socket);
  };
  server.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), timeout);
    socket.once('close', () => clearTimeout(timer));
    socket.once('readable', () => {
      clearTimeout(timer);
      // Without bytes, the client has closed its side.
      if (socket.readableLength > 0) void begin(socket);
      else socket.destroy();
    });
  });
}
