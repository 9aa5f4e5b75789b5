import type { BodyReader } from '../body.ts';
import type { Handler } from '../handler.ts';
import type { MemoryBudget } from '../memory-budget.ts';
import type { Piece } from '../types.ts';
import { FetchBody } from './fetch-body.ts';
import type { HttpV2Event } from './http-v2.ts';
import type { GatewayResult } from './index.ts';

/**
 * Answers a request of the Fetch API. It never rejects for what a client sends.
 * @param client the address of the client, where the platform knows it.
 */
export type FetchHandler = (request: Request, client?: string) => Promise<Response>;

/** Responses with these status codes have no body (Fetch, null body status). */
const withoutBody = new Set([101, 103, 204, 205, 304]);

/**
 * The handlers behind the Fetch API: a `Request` becomes the event of an HTTP API (payload 2.0) whose body is read when its
 * handler asks for it, and its result a `Response`. The platform terminates HTTP, so it also limits connections and time.
 * @param route the handler of a request; the path is percent-encoded and without a query.
 * @param bodies the memory budget of the bodies of all requests of the process.
 */
export function forFetch(
  route: (method: string, path: string) => Handler,
  bodies: MemoryBudget,
): FetchHandler {
  return async (request, client) => {
    const body = request.body === null ? undefined : new FetchBody(request, request.body, bodies);
    const event = eventOf(request, client, body && ((terms) => body.read(terms)));
    try {
      return responseOf(await route(request.method, event.rawPath)(event));
    } finally {
      body?.release();
    }
  };
}

function eventOf(request: Request, client = '', readBody: BodyReader | undefined): HttpV2Event {
  const url = new URL(request.url);
  return {
    version: '2.0',
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers: { host: url.host, ...Object.fromEntries(request.headers) },
    requestContext: { stage: '$default', http: { method: request.method, sourceIp: client } },
    readBody,
    isBase64Encoded: false,
    isSecure: url.protocol === 'https:',
    streams: true,
  };
}

function responseOf(result: GatewayResult): Response {
  const { statusCode: status = 200 } = result;
  const headers = Object.entries(result.headers ?? {}).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new Response(withoutBody.has(status) ? null : contentOf(result), { status, headers });
}

function contentOf(result: GatewayResult): ConstructorParameters<typeof Response>[0] {
  if ('stream' in result && result.stream !== undefined) return encoded(result.stream);
  // The types of a body leave out that bytes may lie in shared memory, which these do not.
  if ('bytes' in result && result.bytes !== undefined) return result.bytes as Uint8Array<ArrayBuffer>;
  const { body = '', isBase64Encoded } = result;
  return isBase64Encoded === true ? Buffer.from(body, 'base64') : body;
}

/** Pieces as they are made, no faster than they are read; who stops reading ends the making. */
function encoded(text: AsyncIterable<Piece>): ReadableStream<Uint8Array> {
  const parts = text[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
    },
    async cancel() {
      await parts.return?.();
    },
  });
}
