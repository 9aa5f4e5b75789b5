import type { OpenCall } from '../../lib/http/call.ts';
import { type Handler, type OpenConfigured, openHandler } from '../../lib/http/handler.ts';
import { noContent } from '../../lib/http/responses.ts';
import { headersUnderPrefix } from '../../lib/http/steps/headers-under-prefix.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { allowedMethods } from '../router.ts';

const everyMethod = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS'];

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
export function preflightHandlers(open: OpenConfigured): Record<'preflight', Handler> {
  return { preflight: openHandler(open, preflight, { version: headersUnderPrefix() }) };
}

/** On an unknown path a page may send anything, so that it can read the 404 that it gets. */
async function preflight(call: OpenCall): Promise<HttpResponse> {
  const known = allowedMethods(call);
  const methods = (known.length === 0 ? everyMethod : known).join(', ');
  return noContent({
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': call.headers['access-control-request-headers'] ?? usualHeaders,
    'Access-Control-Max-Age': seconds,
  });
}
