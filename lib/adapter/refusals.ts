import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { jsonError } from '../http/error-response.ts';

/** What Node's parser gives up on, as status, reason and sentence. */
const refusals: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The request line and headers are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
};
const malformed = [400, 'Bad Request', 'The request is not valid HTTP.'] as const;
const noTunnel = [405, 'Method Not Allowed', 'This server opens no tunnels.'] as const;

/** Answers what never becomes a request: text that is not HTTP, headers without end, clients that stall, CONNECT. */
export function answerRefusals(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    refuse(socket, refusals[error.code ?? ''] ?? malformed);
  });
  server.on('connect', (_, socket: Duplex) => refuse(socket, noTunnel));
}

function refuse(socket: Duplex, [status, reason, message]: readonly [number, string, string]): void {
  const { headers, body = '' } = jsonError(status, message);
  const lines = Object.entries({ ...headers, 'Content-Length': String(body.length), Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head}\r\n${body}`);
}

/** HTTP/1.1 wants to know whom a request is for (RFC 9112 3.2). */
export function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

export function refuseWithoutHost(response: ServerResponse): void {
  const { statusCode, headers, body = '' } = jsonError(400, 'The header Host is missing.');
  response.writeHead(statusCode, { ...headers, 'Content-Length': body.length, Connection: 'close' });
  response.end(body);
}
