import type { Duplex } from 'node:stream';

/** Milliseconds from the last response to the end of the connection, so that the client can read it. */
const lingerMilliseconds = 800;

/**
 * Ends a connection after a last response. Arriving data is read and discarded for a while: closing a socket with unread
 * data resets it, and the client could lose the response (RFC 9112 9.6).
 */
export function endSocket(socket: Duplex, lastAnswer = ''): void {
  socket.end(lastAnswer);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once('close', () => clearTimeout(timer));
}
