import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors.ts';
import { jsonError } from '../http/error-response.ts';
import type { HttpResponse } from '../http/types.ts';
import { ChunkError } from './chunked-body.ts';
import type { ConnectionLimit } from './connections.ts';
import { endSocket } from './end-socket.ts';
import {
  type Exchange,
  hasTooManyHeaders,
  isAnswering,
  latestExchange,
  maxHeadersCount,
} from './pipelining.ts';
import { readAgain } from './reread.ts';

/** Headers of answers to what never becomes a request of a handler. */
export type RefusalHeaders = Readonly<Record<string, string>>;

type Refuse = (socket: Duplex, refusal: Refusal) => void;

interface Ending {
  readonly socket: Duplex;
  readonly exchange: Exchange | undefined;
  readonly refuse: Refuse;
}

interface Refusal {
  readonly code: ErrorCode;
  /** The reason phrases. */
  readonly reason: string;
  readonly message: string;
}

/** The parser errors of Node. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers-too-large',
    reason: 'Request Header Fields Too Large',
    message: 'The request line and headers are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request-timeout',
    reason: 'Request Timeout',
    message: 'The request did not arrive in time.',
  },
};
const malformed: Refusal = {
  code: 'invalid',
  reason: 'Bad Request',
  message: 'The request is not valid HTTP.',
};
const tooManyHeaders: Refusal = {
  code: 'headers-too-large',
  reason: 'Request Header Fields Too Large',
  message: `The request has ${maxHeadersCount} headers or more.`,
};
const unknownCoding: Refusal = {
  code: 'not-implemented',
  reason: 'Not Implemented',
  message: 'The server knows no Transfer-Encoding other than chunked.',
};
const noTunnel: Refusal = {
  code: 'method-not-allowed',
  reason: 'Method Not Allowed',
  message: 'This server opens no tunnels.',
};

/**
 * Responds to what never becomes a request: text that is not HTTP, endless headers, stalled clients, CONNECT. Also resumes
 * requests at whose headers the parser was stopped.
 * @param headers of each response.
 */
export function answerRefusals(server: Server, headers: RefusalHeaders): void {
  const refuse: Refuse = (socket, refusal) => endSocket(socket, answerOf(refusal, headers));
  const ending = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!isAnswerable(error) || !socket.writable) {
      socket.destroy();
    } else if (!ending.has(socket)) {
      ending.add(socket);
      endWith(refusalOf(error), { socket, exchange: latestExchange(socket), refuse });
    }
  });
  server.on('connect', (_, socket: Duplex) => afterAnswer(socket, () => refuse(socket, noTunnel)));
  server.on('upgrade', (message, socket: Socket, head) =>
    afterAnswer(socket, () => {
      const refusal = hasTooManyHeaders(message) ? tooManyHeaders : refusedCoding(message);
      if (refusal === undefined) goOn(server, message, { socket, head, refuse });
      else refuse(socket, refusal);
    }),
  );
}

function goOn(
  server: Server,
  message: IncomingMessage,
  { refuse, ...stopped }: { readonly socket: Socket; readonly head: Buffer; readonly refuse: Refuse },
): void {
  try {
    readAgain(server, message, stopped);
  } catch (error) {
    if (!(error instanceof ChunkError)) throw error;
    refuse(stopped.socket, refusalOf(error));
  }
}

function refusalOf(error: NodeJS.ErrnoException): Refusal {
  if (error instanceof ChunkError) return { ...malformed, message: error.message };
  return refusals[error.code ?? ''] ?? malformed;
}

/** Why the transfer codings prevent reading the body (RFC 9112 6.1); undefined when they do not. */
function refusedCoding({ headers, httpVersion }: IncomingMessage): Refusal | undefined {
  const codings = headers['transfer-encoding']?.toLowerCase();
  if (codings === undefined) return undefined;
  if (httpVersion !== '1.1') {
    return { ...malformed, message: 'The header Transfer-Encoding needs HTTP/1.1 (RFC 9112 6.1).' };
  }
  const others = codings.split(',').map((coding) => coding.trim());
  if (others.pop() !== 'chunked') {
    return { ...malformed, message: 'Transfer-Encoding must end with chunked (RFC 9112 6.3).' };
  }
  return others.length > 0 ? unknownCoding : undefined;
}

/** Whether the request has it; after an error of the connection or of TLS there is nobody to answer. */
function isAnswerable(error: NodeJS.ErrnoException): boolean {
  const { code = '' } = error;
  return error instanceof ChunkError || code.startsWith('HPE_') || code in refusals;
}

/** Runs after the response to the previous request was sent; never if the connection ends with it. */
function afterAnswer(socket: Duplex, act: () => void): void {
  const response = latestExchange(socket)?.response;
  if (response === undefined || !isAnswering(socket)) {
    act();
    return;
  }
  // A response that is longer than the socket's buffers waits for this event, which Node.js no longer forwards.
  const passOn = (): boolean => response.emit('drain');
  socket.on('drain', passOn);
  response.once('finish', () => {
    socket.off('drain', passOn);
    if (socket.writable) act();
  });
}

/**
 * Whatever is wrong comes after a complete request, whose answer goes first, or inside one, which may be answered already, or
 * instead of one. What comes behind a complete request and is a request that the server refuses gets an answer of its own; what
 * is none gets none.
 */
function endWith(refusal: Refusal, { socket, exchange, refuse }: Ending): void {
  if (exchange === undefined) refuse(socket, refusal);
  else if (exchange.response.writableFinished && !exchange.message.complete) endSocket(socket);
  else if (exchange.response.writableFinished) refuse(socket, refusal);
  else if (!exchange.message.complete && exchange.response.headersSent) socket.destroy();
  else if (!exchange.message.complete) refuse(socket, refusal);
  else if (refusal.code === malformed.code) closeAfter(exchange.response, socket);
  else afterAnswer(socket, () => refuse(socket, refusal));
}

function closeAfter(response: ServerResponse, socket: Duplex): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('finish', () => endSocket(socket));
}

function answerOf({ code, reason, message }: Refusal, more: RefusalHeaders): string {
  const { statusCode, headers, body = '' } = jsonError(code, message);
  const lines = Object.entries({
    ...headers,
    ...more,
    'Content-Length': String(body.length),
    Connection: 'close',
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${statusCode} ${reason}\r\n${head}\r\n${body}`;
}

export type FormalError = Pick<Refusal, 'code' | 'message'>;

/** The reason why a request cannot be answered; undefined when there is none. */
export function formalError(message: IncomingMessage): FormalError | undefined {
  if (message.httpVersionMajor !== 1) {
    return { code: 'invalid', message: 'The request must be of HTTP/1.1 or HTTP/1.0 (RFC 9112 2.3).' };
  }
  if (hasTooManyHeaders(message)) return tooManyHeaders;
  if (lacksOneHost(message)) {
    return { code: 'invalid', message: 'The header Host must be there, and once (RFC 9112 3.2).' };
  }
  return undefined;
}

/** HTTP/1.1 requires a Host header, and only one (RFC 9112 3.2). */
function lacksOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1');
}

/** Responds with 400 or 431 and closes the connection. */
export function refuseFormally(
  response: ServerResponse,
  { code, message }: FormalError,
  headers: RefusalHeaders,
): void {
  sendLast(response, jsonError(code, message), headers);
}

/** Responds to the request of a refused connection. */
export function refuseConnection(
  response: ServerResponse,
  limit: ConnectionLimit,
  headers: RefusalHeaders,
): void {
  const refused = jsonError(
    'unavailable',
    `The server has as many connections as ${limit.title} permits; try again in a moment.`,
  );
  sendLast(response, refused, { ...headers, 'Retry-After': '1' });
}

function sendLast(
  response: ServerResponse,
  { statusCode, headers, body = '' }: HttpResponse,
  more: RefusalHeaders,
): void {
  response.writeHead(statusCode, {
    ...headers,
    ...more,
    'Content-Length': body.length,
    Connection: 'close',
  });
  response.end(body);
}
