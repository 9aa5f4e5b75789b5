import type { Call } from '../../lib/http/call.ts';
import { type Handler, type Open, openDoor } from '../../lib/http/door.ts';
import { noContent } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

const methods = 'GET, HEAD, PUT, POST, DELETE, OPTIONS';

const usualHeaders = [
  'Authorization',
  'Content-Type',
  'Accept-Language',
  'If-Match',
  'If-None-Match',
  'X-Experience-API-Version',
].join(', ');

const seconds = '600';

/** OPTIONS on every path: what a page of another origin may send. Whether it may at all is the business of the steps. */
export function preflightDoors(open: Open): Record<'preflight', Handler> {
  return { preflight: openDoor(open, preflight) };
}

async function preflight({ headers }: Call): Promise<HttpResponse> {
  return noContent({
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': headers['access-control-request-headers'] ?? usualHeaders,
    'Access-Control-Max-Age': seconds,
  });
}
