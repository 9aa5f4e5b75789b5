import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasRawChunks } from './reread.ts';

/** A request and its response. */
export interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

const latest = new WeakMap<Duplex, Exchange>();

/** Records the request that its connection answers now. */
export function beginExchange(message: IncomingMessage, response: ServerResponse): void {
  latest.set(message.socket, { message, response });
}

/** The last request of a connection that was passed to a handler; undefined before the first. */
export function latestExchange(socket: Duplex): Exchange | undefined {
  return latest.get(socket);
}

/** Whether a response was not sent yet. Node.js detaches the socket from a response that was sent. */
export function isAnswering(socket: Duplex): boolean {
  const response = latest.get(socket)?.response;
  return response !== undefined && response.socket !== null;
}

/** Node.js drops headers beyond this number, which may include those that delimit the request. */
export const maxHeadersCount = 1000;

/** Whether headers were dropped: then `rawHeaders`, which contains names and values, has at least this length. */
export function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length >= 2 * maxHeadersCount;
}

/**
 * A request that stops the parser at its headers, as one with an `Upgrade` header does, when it has chunks, or arrives before the
 * one before it is answered (RFC 9112 9.3.2). Without that, Node.js makes a request and a response of whatever else it has
 * received: of 64 KiB at a time, more than a thousand. The event `upgrade` then has the rest of the bytes, and `readAgain` goes on
 * once the response is sent. So one connection holds one response in memory, and its requests act in the order in which they
 * were sent.
 */
export class SequentialMessage extends IncomingMessage {
  isUpgrade = false;
  stopsParser: boolean | undefined;

  /** Node.js reads it when the headers are complete. */
  get upgrade(): boolean {
    this.stopsParser ??=
      this.isUpgrade || isAnswering(this.socket) || hasTooManyHeaders(this) || hasRawChunks(this);
    return this.stopsParser;
  }

  /** Node.js sets it before the headers are complete, and later to what it has read. */
  set upgrade(isUpgrade: boolean) {
    this.isUpgrade = isUpgrade;
  }
}
