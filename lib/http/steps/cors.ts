import type { Request } from '@middy/core';
import httpCors from '@middy/http-cors';
import { ForbiddenError } from '../../errors.ts';
import type { ConfiguredLrs } from '../../lrs.ts';
import type { OpenCall, Step } from '../call.ts';
import { isAllowedOrigin } from '../origins.ts';
import type { HttpResponse } from '../types.ts';

/** Response headers that a page of another origin may read. */
const exposeHeaders = [
  'Content-Location',
  'ETag',
  'Last-Modified',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-Experience-API-Consistent-Through',
  'X-Experience-API-Version',
  'X-Request-Id',
].join(', ');

/** Request headers that a page of another origin may send, where its preflight names none. */
const usualHeaders = [
  'Authorization',
  'Content-Type',
  'Accept-Language',
  'If-Match',
  'If-None-Match',
  'X-Experience-API-Version',
].join(', ');

/** Seconds that a browser may cache the answer to a preflight. */
const maxAge = 600;

/** Characters of a refused origin that the error message repeats. */
const longestEcho = 200;

/** Refuses calls from pages of an origin that is not allowed. */
export function checkOrigin(): Step<OpenCall> {
  const checkOriginBefore = ({ event }: Request<OpenCall>): void => {
    const { origin } = event.headers;
    if (origin === undefined || isAllowed(event)) return;
    throw new ForbiddenError(
      `The origin ${origin.slice(0, longestEcho)} is not allowed; webserver.allowedOrigins (LRS_ALLOWED_ORIGINS) or allowAllOrigins permits it.`,
    );
  };
  return { before: checkOriginBefore };
}

/**
 * Adds the CORS headers to the response if the origin of the request is allowed. A request may fail before `checkOrigin` has
 * checked it. Every response varies by origin.
 */
export function cors(): Step<OpenCall> {
  const { after } = httpCors({ getOrigin: (origin) => origin, credentials: true, exposeHeaders });
  const corsAfter = (request: Request<OpenCall, HttpResponse>): Promise<void> | undefined => {
    if (isAllowed(request.event)) return Promise.resolve(after?.(request)).then(() => vary(request));
    vary(request);
    return undefined;
  };
  return { after: corsAfter, onError: corsAfter };
}

/** Answers a preflight: which methods and headers a page of another origin may send. `cors` adds whether it may at all. */
export function corsPreflight(methodsOf: (call: OpenCall) => readonly string[]): Step<OpenCall> {
  const corsPreflightAfter = async (request: Request<OpenCall, HttpResponse>): Promise<void> => {
    const { event } = request;
    const headers = event.headers['access-control-request-headers'] ?? usualHeaders;
    await httpCors({ methods: methodsOf(event).join(', '), headers, maxAge }).after?.(request);
  };
  return { after: corsPreflightAfter };
}

function vary({ response }: Request<OpenCall, HttpResponse>): void {
  if (response === null) return;
  const { Vary: others } = response.headers;
  response.headers.Vary = others === undefined ? 'Origin' : `${others}, Origin`;
}

/** Nobody knows which origins are allowed before the LRS is open. */
function isAllowed({ headers, lrs }: Pick<OpenCall, 'headers'> & { readonly lrs?: ConfiguredLrs }): boolean {
  const { origin } = headers;
  return origin !== undefined && lrs !== undefined && isAllowedOrigin(origin, headers, lrs.config.webserver);
}
