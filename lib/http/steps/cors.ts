import type { Request } from '@middy/core';
import httpCors from '@middy/http-cors';
import { ForbiddenError } from '../../errors.ts';
import type { Call, Step } from '../call.ts';
import { isAllowedOrigin } from '../origins.ts';
import type { HttpResponse } from '../types.ts';

/** The headers of our answers that a page of another origin may read. */
const exposeHeaders = [
  'Content-Location',
  'ETag',
  'Last-Modified',
  'Retry-After',
  'WWW-Authenticate',
  'X-Experience-API-Consistent-Through',
  'X-Experience-API-Version',
].join(', ');

const longestEcho = 200;

/**
 * Refuses calls from pages of an origin that is not allowed. The origin is then taken off the call, so that `cors` further
 * out grants nothing on the refusal.
 */
export function checkOrigin(): Step<Call> {
  const checkOriginBefore = ({ event }: Request<Call>): void => {
    const { origin, ...headers } = event.headers;
    if (origin === undefined || isAllowedOrigin(origin, headers, event.lrs.config.webserver)) return;
    event.headers = headers;
    throw new ForbiddenError(
      `The origin ${origin.slice(0, longestEcho)} is not allowed; webserver.allowedOrigins (LRS_ALLOWED_ORIGINS) or allowAllOrigins permits it.`,
    );
  };
  return { before: checkOriginBefore };
}

/**
 * Adds the CORS headers for the origin of the call, if it has one: `checkOrigin` has let only allowed ones through. To a cache
 * every answer says that it differs by origin.
 */
export function cors(): Step<Call> {
  const { after } = httpCors({ getOrigin: (origin) => origin, credentials: true, exposeHeaders });
  const corsAfter = async (request: Request<Call, HttpResponse>): Promise<void> => {
    if (request.event.headers.origin !== undefined) await after?.(request);
    if (request.response !== null) request.response.headers.Vary = 'Origin';
  };
  return { after: corsAfter, onError: corsAfter };
}
