import type { Duplex } from 'node:stream';

/** Milliseconds from the last answer to the end of the connection, so that the client can read it. */
const lingerMilliseconds = 800;

/**
 * Ends a connection after a last answer, whatever the client does. What still arrives is read and dropped for a moment:
 * closing a socket with unread data resets it, and the client may lose the answer (RFC 9112 9.6).
 */
export function endSocket(socket: Duplex, lastAnswer = ''): void {
  socket.end(lastAnswer);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once('close', () => clearTimeout(timer));
}
