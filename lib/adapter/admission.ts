import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';

/** Milliseconds that a connection above the limit has for a request, which is answered 503. */
const refusedMilliseconds = 1000;

interface AdmissionOptions {
  readonly connections: Connections;
  readonly isTls: boolean;
  /** Told the limit that a refused connection exceeds. */
  readonly onRefused: ((limit: string) => void) | undefined;
}

/**
 * Closes connections above the limits: over HTTP their first request is answered 503, if it comes at once; a TLS handshake would
 * cost more than that is worth.
 */
export function limitConnections(server: Server, { connections, isTls, onRefused }: AdmissionOptions): void {
  const known = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    // After an ignored `Upgrade` the same connection comes again.
    if (known.has(socket)) return;
    known.add(socket);
    if (connections.admit(socket)) return;
    onRefused?.(connections.limitExceededBy(socket) ?? '');
    if (isTls || !connections.admitRefused(socket)) {
      socket.destroy();
      return;
    }
    const timer = setTimeout(() => socket.destroy(), refusedMilliseconds);
    socket.once('close', () => clearTimeout(timer));
  });
}
