import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpV2Event } from '../http/gateways/http-v2.ts';
import type { GatewayEvent, GatewayResult } from '../http/gateways/index.ts';
import { readBody } from './body.ts';
import { compress, negotiateCoding } from './compression.ts';
import { eventOf, type Target, targetOf } from './event.ts';

export type LambdaHandler = (event: GatewayEvent) => Promise<GatewayResult>;

export interface ListenerOptions {
  /** The handler of a request; the path is percent-encoded and without a query. */
  readonly route: (method: string, path: string) => LambdaHandler;
  readonly maxBodyBytes: number;
  /** Told of what no handler should let through. */
  readonly onFailure: (error: unknown) => void;
}

/** Turns each request into an event, calls its handler and sends what that gives. */
export function createListener(
  options: ListenerOptions,
): (message: IncomingMessage, response: ServerResponse) => void {
  return (message, response) => {
    answer(message, response, options).catch((error: unknown) => {
      options.onFailure(error);
      response.destroy();
    });
  };
}

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  options: ListenerOptions,
): Promise<void> {
  const target = targetOf(message.url ?? '/');
  const reading = await readBody(message, options.maxBodyBytes);
  if ('aborted' in reading) return;
  const refused = 'tooLarge' in reading;
  const event = refused
    ? unreadEvent(message, target, reading.tooLarge)
    : eventOf(message, target, reading.body);
  const result = await options.route(message.method ?? '', target.path)(event);
  if (refused) response.setHeader('Connection', 'close');
  await send(message, response, result);
}

/** The event of a body that was not read: its length tells the handler why it is not there. */
function unreadEvent(message: IncomingMessage, target: Target, length: number): HttpV2Event {
  const event = eventOf(message, target, Buffer.alloc(0));
  return { ...event, headers: { ...event.headers, 'content-length': String(length) } };
}

async function send(
  message: IncomingMessage,
  response: ServerResponse,
  result: GatewayResult,
): Promise<void> {
  const { statusCode = 200, headers, body = '', isBase64Encoded } = result;
  let bytes: string | Buffer = isBase64Encoded === true ? Buffer.from(body, 'base64') : body;
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) sent[name] = String(value);
  if (statusCode !== 204 && statusCode !== 304) sent['Content-Length'] ??= String(Buffer.byteLength(bytes));
  const coding = negotiateCoding(message, statusCode, sent);
  // The length of a compressed answer is not worth the work of compressing it for HEAD, which may leave it out (RFC 9110 9.3.2).
  if (coding !== undefined && message.method !== 'HEAD') {
    bytes = await compress(coding, bytes);
    sent['Content-Length'] = String(bytes.length);
  }
  response.writeHead(statusCode, sent);
  response.end(bytes);
}
