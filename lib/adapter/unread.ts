import type { IncomingMessage } from 'node:http';

/** Milliseconds that a client may go on sending, and be silent, and bytes that it may send, before the connection ends. */
const patience = { all: 30_000, silence: 2_000, bytes: 64 * 1024 * 1024 };

/** What a piece counts at least: many small chunks cost time, not bytes. */
const leastPiece = 4096;

/** A body up to this length is received and dropped; the connection stays open. */
const droppedLength = 64 * 1024;

/**
 * Whether the connection has to end after the answer because of a body that nobody has read: one that is long or of unknown
 * length and still arriving, or one that the client was not asked for (RFC 9110 10.1.1).
 */
export function endsUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const announced = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  return announced > droppedLength || headers.expect !== undefined;
}

/**
 * Drops what still arrives of a request for a while. To end the connection at once would reset it under a client that is
 * still sending, which then never sees the answer (RFC 9112 9.6).
 */
export function discardRest(message: IncomingMessage): Promise<void> {
  if (message.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let discarded = 0;
    const finish = (): void => {
      clearTimeout(all);
      clearTimeout(silence);
      message.off('data', discard);
      resolve();
    };
    const discard = (piece: Buffer): void => {
      discarded += Math.max(piece.length, leastPiece);
      if (discarded > patience.bytes) finish();
      else silence.refresh();
    };
    const all = setTimeout(finish, patience.all);
    const silence = setTimeout(finish, patience.silence);
    message.on('data', discard);
    message.once('end', finish);
    message.once('close', finish);
    message.resume();
  });
}
