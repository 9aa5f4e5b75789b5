import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';

/** Milliseconds that a connection above the limit has for a request, which is answered 503. */
const refusedMilliseconds = 1000;

interface AdmissionOptions {
  readonly connections: Connections;
  readonly isTls: boolean;
  /** Told the limit because of which a connection is refused, or an idle one closed for it. */
  readonly onRefused: ((limit: string) => void) | undefined;
}

/**
 * Makes room for new connections by closing idle ones, and closes those that exceed the limits nevertheless: over HTTP their first request is answered 503, if it comes at once; a TLS handshake would
 * cost more than that is worth.
 */
export function limitConnections(server: Server, { connections, isTls, onRefused }: AdmissionOptions): void {
  const known = new WeakSet<Socket>();
  server.on('secureConnection', (socket: Socket) => connections.secure(socket));
  server.on('connection', (socket: Socket) => {
    // After an ignored `Upgrade` the same connection comes again.
    if (known.has(socket)) return;
    known.add(socket);
    const { isFull } = connections;
    const isAdmitted = connections.admit(socket);
    if (isFull || !isAdmitted) onRefused?.(connections.limitExceededBy(socket) ?? connections.limit);
    if (isAdmitted) return;
    if (isTls || !connections.admitRefused(socket)) {
      socket.destroy();
      return;
    }
    const timer = setTimeout(() => socket.destroy(), refusedMilliseconds);
    socket.once('close', () => clearTimeout(timer));
  });
}
