import { LrsError, type LrsErrorKind, MethodNotAllowedError } from '../errors.ts';
import type { HttpResponse } from './types.ts';

/** The one place that knows which HTTP status a kind of failure becomes. */
const statusOf: Readonly<Record<LrsErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'precondition-failed': 412,
  'too-large': 413,
  unavailable: 503,
};

/** Seconds after which a client may try again. */
const retryAfter = '1';

const unexpected = 'The server failed to answer this request; the reason is in its log.';

/** The answer to a failure: `{error, details?}`. An error that is no `LrsError` tells the client nothing about itself. */
export function errorResponse(error: unknown): HttpResponse {
  if (!(error instanceof LrsError)) return jsonError(500, unexpected);
  const response = jsonError(statusOf[error.kind], error.message, error.details);
  if (error instanceof MethodNotAllowedError) response.headers.Allow = error.allowed.join(', ');
  if (error.kind === 'unavailable') response.headers['Retry-After'] = retryAfter;
  return response;
}

/** Every answer of 400 and above has this body; `details` is left out when there are none. */
export function jsonError(
  statusCode: number,
  message: string,
  details: readonly object[] = [],
): HttpResponse {
  return {
    statusCode,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(details.length === 0 ? { error: message } : { error: message, details }),
  };
}
