import type { IncomingMessage } from 'node:http';
import type { BodyReader } from '../http/body.ts';
import type { HttpV2Event } from '../http/gateways/http-v2.ts';
import type { ResponseMemory } from '../http/types.ts';

/** The two parts of a request target; a proxy's absolute form loses its scheme and host (RFC 9112 3.2). */
export interface Target {
  readonly path: string;
  readonly query: string;
}

const schemeAndHost = /^[a-z][a-z0-9+.-]*:\/\/([^/?]*)/i;

export function targetOf(url: string): Target {
  const target = url.startsWith('/') ? url : url.replace(schemeAndHost, '');
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** Where the target is in absolute form, the host that it names replaces the header Host (RFC 9112 3.2.2). */
export function takeHostOfTarget({ url = '/', headers }: IncomingMessage): void {
  if (url.startsWith('/')) return;
  const [, authority] = schemeAndHost.exec(url) ?? [];
  if (authority !== undefined) headers.host = authority.replace(/^.*@/, '');
}

interface EventOptions {
  readonly readBody: BodyReader | undefined;
  readonly responseMemory: ResponseMemory;
}

/**
 * The event that API Gateway would create for the request (HTTP API, payload 2.0), except that its body is read on demand.
 */
export function eventOf(
  message: IncomingMessage,
  target: Target,
  { readBody, responseMemory }: EventOptions,
): HttpV2Event {
  return {
    version: '2.0',
    rawPath: target.path,
    rawQueryString: target.query,
    // `set-cookie`, the only header that Node returns as a list, has no meaning in a request.
    headers: message.headers as HttpV2Event['headers'],
    requestContext: {
      stage: '$default',
      http: { method: message.method ?? '', sourceIp: message.socket.remoteAddress ?? '' },
    },
    readBody,
    responseMemory,
    isBase64Encoded: false,
    isSecure: 'encrypted' in message.socket,
    streams: true,
  };
}
