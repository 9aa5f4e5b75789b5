import type { IncomingMessage } from 'node:http';

/** Milliseconds that a client may go on sending, and be silent, and bytes that it may send, before the connection ends. */
const patience = { all: 30_000, silence: 2_000, bytes: 64 * 1024 * 1024 };

/** What a piece counts at least: many small chunks cost time, not bytes. */
const leastPiece = 4096;

/** Bytes of all bodies that are dropped in a second. */
const droppedPerSecond = 32 * 1024 * 1024;

/** After so many bytes the next ones of the same body wait: one read of a connection brings as many. */
const pauseBytes = 64 * 1024;

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

/** Milliseconds until so many bytes more may be dropped. What all connections send counts together. */
function timeToDrop(bytes: number): number {
  const now = performance.now();
  dropsAt = Math.max(now, dropsAt) + (bytes / droppedPerSecond) * 1000;
  return dropsAt - now;
}

/** When the next bytes may be dropped; milliseconds since any moment. */
let dropsAt = 0;

/**
 * Drops what still arrives of a request for a while. To end the connection at once would reset it under a client that is
 * still sending, which then never sees the answer (RFC 9112 9.6). All connections together send no faster than
 * `droppedPerSecond` allows, so that what is refused does not take the time of other requests.
 */
export function discardRest(message: IncomingMessage): Promise<void> {
  if (message.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let discarded = 0;
    /** As many were discarded at the last pause. */
    let paused = 0;
    let next: NodeJS.Timeout | undefined;
    const finish = (): void => {
      message.pause();
      clearTimeout(all);
      clearTimeout(next);
      message.off('data', discard).off('end', finish).off('close', finish);
      resolve();
    };
    const listen = (): void => {
      next = setTimeout(finish, patience.silence);
      message.resume();
    };
    const pause = (): void => {
      clearTimeout(next);
      message.pause();
      next = setTimeout(listen, timeToDrop(discarded - paused));
      paused = discarded;
    };
    const discard = (piece: Buffer): void => {
      discarded += Math.max(piece.length, leastPiece);
      if (discarded > patience.bytes) finish();
      else if (discarded < paused + pauseBytes) next?.refresh();
      else pause();
    };
    const all = setTimeout(finish, patience.all);
    message.on('data', discard).once('end', finish).once('close', finish);
    listen();
  });
}
