import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { FunctionError } from './instance.ts';
import { type FunctionPool, ThrottledError } from './pool.ts';
import { textOf } from './runtime-api.ts';

export interface Gateway {
  readonly url: string;
  close(): Promise<void>;
}

/** Bytes that API Gateway takes of a request, and Lambda of an event or a result. */
const requestLimit = 10 * 2 ** 20;
const payloadLimit = 6 * 2 ** 20;

/**
 * An HTTP API: turns requests into events (payload 2.0) and results into answers. Functions whose answers stream get them as from
 * a function URL.
 * @param choose the function for a path
 */
export async function startGateway(choose: (path: string) => FunctionPool): Promise<Gateway> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    serve(request, response, choose).catch(() => response.destroy());
  });
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The gateway has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  choose: (path: string) => FunctionPool,
): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) return refuse(response, 413, 'Request Entity Too Large');
  const event = eventOf(request, body);
  if (JSON.stringify(event).length > payloadLimit) return refuse(response, 413, 'Request Entity Too Large');
  try {
    const invocation = await choose(event.rawPath).invoke(event);
    await answer(response, invocation.body);
  } catch (error) {
    if (response.headersSent) throw error;
    if (error instanceof ThrottledError) return refuse(response, 429, 'Too Many Requests');
    const kind = error instanceof FunctionError ? error.kind : 'ExitError';
    response.setHeader(errorHeader, kind);
    refuse(response, 500, 'Internal Server Error');
  }
}

/** Says on an answer with 500 why the function has failed. */
export const errorHeader = 'x-lambda-error';

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}

/** undefined when it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length <= requestLimit) chunks.push(chunk as Buffer);
  }
  return length <= requestLimit ? Buffer.concat(chunks) : undefined;
}

const text = /^(text\/|application\/(json|xml|javascript)\b)/i;
/** Between the client and the gateway only. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'cookie',
]);

function eventOf(request: IncomingMessage, body: Buffer) {
  const { method = 'GET', url = '/', headers, socket } = request;
  const mark = url.indexOf('?');
  const rawPath = mark < 0 ? url : url.slice(0, mark);
  const isText = text.test(headers['content-type'] ?? '');
  const [sourceIp = '127.0.0.1', domainName] = [
    socket.remoteAddress,
    'abcdefghij.execute-api.eu-central-1.amazonaws.com',
  ];
  const forwarded = { 'x-forwarded-for': sourceIp, 'x-forwarded-port': '443', 'x-forwarded-proto': 'https' };
  const passed = Object.entries(headers)
    .filter(([name]) => !hopByHop.has(name))
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: mark < 0 ? '' : url.slice(mark + 1),
    ...(headers.cookie !== undefined && { cookies: headers.cookie.split('; ') }),
    headers: { ...forwarded, ...Object.fromEntries(passed) },
    requestContext: {
      accountId: '123456789012',
      apiId: 'abcdefghij',
      domainName,
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId: randomUUID(),
      routeKey: '$default',
      stage: '$default',
      timeEpoch: Date.now(),
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** What a handler gives back for an event of payload 2.0. */
interface Result {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

async function answer(response: ServerResponse, message: IncomingMessage): Promise<void> {
  if (message.headers['lambda-runtime-function-response-mode'] === 'streaming')
    return answerInPieces(response, message);
  const json = await textOf(message).catch(() => {
    throw new FunctionError('ExitError', 'The instance has ended within its answer.');
  });
  if (Buffer.byteLength(json) > payloadLimit)
    throw new FunctionError('Unhandled', 'The result is larger than Lambda takes.');
  const result: Result = JSON.parse(json);
  writeHead(response, result);
  response.end(Buffer.from(result.body ?? '', result.isBase64Encoded === true ? 'base64' : 'utf8'));
}

function writeHead(response: ServerResponse, { statusCode = 200, headers = {}, cookies }: Result): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (cookies !== undefined) response.setHeader('set-cookie', cookies);
  response.writeHead(statusCode);
}

/** Status and headers stand before the body, with eight zero bytes between them. */
const separator = Buffer.alloc(8);

async function answerInPieces(response: ServerResponse, message: IncomingMessage): Promise<void> {
  let head = Buffer.alloc(0);
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    head = Buffer.concat([head, chunk as Buffer]);
    const end = head.indexOf(separator);
    if (end < 0) continue;
    writeHead(response, JSON.parse(head.toString('utf8', 0, end)));
    response.write(head.subarray(end + separator.length));
    break;
  }
  await pipeline(message, response, { end: false });
  if (message.trailers['lambda-runtime-function-error-type'] !== undefined) response.destroy();
  else response.end();
}
