import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors.ts';
import { jsonError } from '../http/error-response.ts';
import type { HttpResponse } from '../http/types.ts';
import { tooManyPieces } from './collecting-message.ts';
import { endSocket } from './end-socket.ts';
import { type Exchange, isAnswering, latestExchange } from './pipelining.ts';
import { ignoreUpgrade } from './upgrade.ts';

interface Refusal {
  readonly code: ErrorCode;
  /** The words behind the status. */
  readonly reason: string;
  readonly message: string;
}

/** What Node's parser gives up on. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers-too-large',
    reason: 'Request Header Fields Too Large',
    message: 'The request line and headers are too large.',
  },
  HPE_PAUSED: { code: 'invalid', reason: 'Bad Request', message: tooManyPieces },
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
/** Node.js drops the headers beyond this number, which may be those that tell where the request ends. */
export const maxHeadersCount = 1000;
const tooManyHeaders: Refusal = {
  code: 'headers-too-large',
  reason: 'Request Header Fields Too Large',
  message: `The request has ${maxHeadersCount} headers or more.`,
};
const noTunnel: Refusal = {
  code: 'method-not-allowed',
  reason: 'Method Not Allowed',
  message: 'This server opens no tunnels.',
};

/**
 * Answers what never becomes a request: text that is not HTTP, headers without end, clients that stall, CONNECT; and ignores
 * `Upgrade`, which pipelined requests are treated like.
 */
export function answerRefusals(server: Server): void {
  const ending = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!isAnswerable(error) || !socket.writable) {
      socket.destroy();
    } else if (!ending.has(socket)) {
      ending.add(socket);
      endWith(refusals[error.code ?? ''] ?? malformed, socket, latestExchange(socket));
    }
  });
  server.on('connect', (_, socket: Duplex) => afterAnswer(socket, () => refuse(socket, noTunnel)));
  server.on('upgrade', (message, socket: Socket, head) =>
    afterAnswer(socket, () => {
      if (hasTooManyHeaders(message)) refuse(socket, tooManyHeaders);
      else ignoreUpgrade(server, message, { socket, head });
    }),
  );
}

/** Whether the parser found it; after an error of the connection or of TLS there is nobody to answer. */
function isAnswerable({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('HPE_') || code in refusals;
}

/** Acts once the answer to the request before is out; never when the connection ends with it. */
function afterAnswer(socket: Duplex, act: () => void): void {
  const response = latestExchange(socket)?.response;
  if (response === undefined || !isAnswering(socket)) {
    act();
    return;
  }
  // A response that is longer than the buffers waits for this event, which Node.js no longer passes on.
  const passOn = (): boolean => response.emit('drain');
  socket.on('drain', passOn);
  response.once('finish', () => {
    socket.off('drain', passOn);
    if (socket.writable) act();
  });
}

/** Whatever is wrong comes after a complete request, whose answer goes first and alone, or inside one, which may be answered already, or instead of one. */
function endWith(refusal: Refusal, socket: Duplex, exchange: Exchange | undefined): void {
  if (exchange === undefined) refuse(socket, refusal);
  else if (exchange.response.writableFinished && !exchange.message.complete) endSocket(socket);
  else if (exchange.response.writableFinished) refuse(socket, refusal);
  else if (exchange.message.complete) closeAfter(exchange.response, socket);
  else if (exchange.response.headersSent) socket.destroy();
  else refuse(socket, refusal);
}

function closeAfter(response: ServerResponse, socket: Duplex): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('finish', () => endSocket(socket));
}

function refuse(socket: Duplex, { code, reason, message }: Refusal): void {
  const { statusCode, headers, body = '' } = jsonError(code, message);
  const lines = Object.entries({ ...headers, 'Content-Length': String(body.length), Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  endSocket(socket, `HTTP/1.1 ${statusCode} ${reason}\r\n${head}\r\n${body}`);
}

type FormalError = Pick<Refusal, 'code' | 'message'>;

/** What keeps a request from being answered at all; undefined when nothing. */
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

/** `rawHeaders` has names and values; it is never shorter than this where headers were dropped. */
function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length >= 2 * maxHeadersCount;
}

/** HTTP/1.1 wants to know whom a request is for, and that it is one (RFC 9112 3.2). */
function lacksOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1');
}

/** Answers 400 or 431 and closes the connection. */
export function refuseFormally(response: ServerResponse, { code, message }: FormalError): void {
  sendLast(response, jsonError(code, message));
}

/** Answers the request of a connection that is one too many. @param limit as `Connections.limitExceededBy` names it. */
export function refuseConnection(response: ServerResponse, limit: string): void {
  const refused = jsonError(
    'unavailable',
    `The server has as many connections as ${limit} permits; try again in a moment.`,
  );
  sendLast(response, { ...refused, headers: { ...refused.headers, 'Retry-After': '1' } });
}

function sendLast(response: ServerResponse, { statusCode, headers, body = '' }: HttpResponse): void {
  response.writeHead(statusCode, { ...headers, 'Content-Length': body.length, Connection: 'close' });
  response.end(body);
}
