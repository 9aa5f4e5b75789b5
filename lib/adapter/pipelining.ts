import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CollectingMessage } from './collecting-message.ts';

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

/**
 * A request that stops the parser when it arrives before the one before it is answered (RFC 9112 9.3.2), as one with an `Upgrade`
 * header does. Without that, Node.js makes a request and a response of whatever else it has received: of 64 KiB at a time, more
 * than a thousand. The event `upgrade` then has the rest of the bytes, and `ignoreUpgrade` reads them once the response is sent.
 * So one connection holds one response in memory, and its requests act in the order in which they were sent.
 */
export class SequentialMessage extends CollectingMessage {
  stopsParser = false;

  get upgrade(): boolean {
    return this.stopsParser;
  }

  /** Set by Node.js when the headers are complete. */
  set upgrade(isRequested: boolean) {
    const socket: Socket | undefined = this.socket;
    this.stopsParser = isRequested || (socket !== undefined && isAnswering(socket));
  }
}
