import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpV2Event } from '../http/gateways/http-v2.ts';
import type { GatewayEvent, GatewayResult } from '../http/gateways/index.ts';
import { type BodyReading, readBody } from './body.ts';
import { compress, negotiateCoding } from './compression.ts';
import { eventOf, type Target, targetOf } from './event.ts';
import { sendStream } from './stream.ts';
import { Turns } from './turns.ts';
import { answerUnread } from './unread.ts';

export type LambdaHandler = (event: GatewayEvent) => Promise<GatewayResult>;

export interface ListenerOptions {
  /** The handler of a request; the path is percent-encoded and without a query. */
  readonly route: (method: string, path: string) => LambdaHandler;
  readonly maxBodyBytes: number;
  /** Told of what no handler should let through. */
  readonly onFailure: (error: unknown) => void;
}

/** What a request is taken to cost at least, in bytes of a body. */
const leastWeight = 2048;
/** Some twenty single statements: of more in a row each costs hardly less, and an answer of the database waits as long. */
const weightPerTurn = 64 * 1024;
/** What is larger starts alone, because it is worked off bit by bit anyway. */
const largestShared = 16 * 1024;

/** Turns each request into an event, calls its handler and sends what that gives. */
export function createListener(
  options: ListenerOptions,
): (message: IncomingMessage, response: ServerResponse) => void {
  const withTurns = { ...options, turns: new Turns(weightPerTurn) };
  return (message, response) => {
    answer(message, response, withTurns).catch((error: unknown) => {
      options.onFailure(error);
      response.destroy();
    });
  };
}

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  options: ListenerOptions & { readonly turns: Turns },
): Promise<void> {
  let reading: BodyReading | undefined = await readBody(message, options.maxBodyBytes);
  if ('aborted' in reading) return;
  await options.turns.take(weightOf(reading));
  const refused = 'tooLarge' in reading;
  const handling = handle(message, reading, options.route);
  // While a handler works, or waits for its turn, it alone keeps the body.
  reading = undefined;
  const result = await handling;
  if ('stream' in result && result.stream !== undefined) return sendStream(response, result, result.stream);
  await (refused ? answerUnread : send)(message, response, result);
}

function weightOf(reading: BodyReading): number {
  const length = 'body' in reading ? reading.body.length : 0;
  return length > largestShared ? weightPerTurn : leastWeight + length;
}

function handle(
  message: IncomingMessage,
  reading: Exclude<BodyReading, { readonly aborted: true }>,
  route: ListenerOptions['route'],
): Promise<GatewayResult> {
  const target = targetOf(message.url ?? '/');
  const event =
    'tooLarge' in reading
      ? unreadEvent(message, target, reading.tooLarge)
      : eventOf(message, target, reading.body);
  return route(message.method ?? '', target.path)(event);
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
