import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Turns } from '../turns.ts';
import { EncryptedSide } from './encrypted-side.ts';

/**
 * Steps of TLS handshakes in one turn of the event loop: beginning one, or passing on a piece of its bytes. The step that signs
 * takes half a millisecond with a key of RSA-2048, and five with one of RSA-4096.
 */
const perTurn = 8;

/**
 * Begins TLS when the first bytes of a connection arrive, and makes few steps of handshakes per turn of the event loop.
 * A TLS socket needs several times the memory and CPU time of its connection, also when it closes, so clients that send nothing get
 * none. Call it before other listeners for `connection` are added.
 * @param timeout milliseconds in which the first bytes must arrive.
 */
export function beginHandshakes(server: Server, timeout: number): void {
  const nodeListeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.prependListener('secureConnection', (socket: TLSSocket) => EncryptedSide.adopt(socket));
  const turns = new Turns(perTurn);
  const begin = async (socket: Socket): Promise<void> => {
    await turns.take(1);
    if (socket.destroyed) return;
    const encrypted = EncryptedSide.of(socket, turns);
    for (const listener of nodeListeners) listener.call(server, encrypted);
  };
  server.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), timeout);
    socket.once('close', () => clearTimeout(timer));
    socket.once('readable', () => {
      clearTimeout(timer);
      // No bytes: the client has closed its side.
      if (socket.readableLength > 0) void begin(socket);
      else socket.destroy();
    });
  });
}
