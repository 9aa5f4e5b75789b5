import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasRawChunks } from './reread.ts';

/** A request and its response. */
export interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

const latest = new WeakMap<Duplex, Exchange>();

/** Notes the request that its connection is to answer now. */
export function beginExchange(message: IncomingMessage, response: ServerResponse): void {
  latest.set(message.socket, { message, response });
}

/** The last request of a connection that was handed over to be answered; undefined before the first. */
export function latestExchange(socket: Duplex): Exchange | undefined {
  return latest.get(socket);
}

/** Whether a response is not sent yet. Node.js takes the socket from a response that is. */
export function isAnswering(socket: Duplex): boolean {
  const response = latest.get(socket)?.response;
  return response !== undefined && response.socket !== null;
}

/** Node.js drops the headers beyond this number, which may be those that tell where the request ends. */
export const maxHeadersCount = 1000;

/** Whether headers were dropped: `rawHeaders`, which has names and values, is never shorter than this then. */
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

  /** Read by Node.js once the headers are there. */
  get upgrade(): boolean {
    this.stopsParser ??=
      this.isUpgrade || isAnswering(this.socket) || hasTooManyHeaders(this) || hasRawChunks(this);
    return this.stopsParser;
  }

  /** Set by Node.js before the headers are there, and later to what it has read. */
  set upgrade(isUpgrade: boolean) {
    this.isUpgrade = isUpgrade;
  }
}
