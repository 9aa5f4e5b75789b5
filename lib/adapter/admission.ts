import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimit, Connections } from './connections.ts';

/** Milliseconds that a connection above the limit has to send a request, which gets 503. */
const refusedMilliseconds = 1000;

interface AdmissionOptions {
  readonly connections: Connections;
  readonly isTls: boolean;
  /** Called with the limit that caused a refusal, or that closed an idle connection. */
  readonly onRefused: ((limit: ConnectionLimit) => void) | undefined;
}

/**
 * Closes idle connections when new ones need their place, and connections that exceed the limits: over HTTP their first
 * request, if it arrives at once, gets 503; a TLS handshake for that would cost too much.
 */
export function limitConnections(server: Server, { connections, isTls, onRefused }: AdmissionOptions): void {
  const known = new WeakSet<Socket>();
  server.on('secureConnection', (socket: Socket) => connections.secure(socket));
  server.on('connection', (socket: Socket) => {
    // After an ignored `Upgrade` the event is emitted again for the same connection.
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
