import {
  type ErrorCode,
  type ErrorDetail,
  LrsError,
  MaintenanceError,
  MethodNotAllowedError,
  TooManyRequestsError,
} from '../errors.ts';
import type { HttpResponse } from './types.ts';

/** The one place that knows which HTTP status a kind of failure becomes. */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'request-timeout': 408,
  conflict: 409,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  'headers-too-large': 431,
  internal: 500,
  'not-implemented': 501,
  unavailable: 503,
};

/** Seconds after which a client may try again. */
const retryAfter = '1';
/** The same of maintenance, which takes longer than a fault that passes. */
const retryAfterMaintenance = '60';

const unexpected = 'The server failed to answer this request; the reason is in its log.';

/** The answer to a failure: `{error, code, details?}`. An error that is no `LrsError` tells the client nothing about itself. */
export function errorResponse(error: unknown): HttpResponse {
  if (!(error instanceof LrsError)) return jsonError('internal', unexpected);
  const response = jsonError(error.kind, error.message, error.details);
  if (error instanceof MethodNotAllowedError) response.headers.Allow = error.allowed.join(', ');
  if (error instanceof TooManyRequestsError) response.headers['Retry-After'] = String(error.retryAfter);
  if (error.kind === 'unsupported-media-type') response.headers['Accept-Encoding'] = 'identity';
  if (error.kind === 'unavailable') {
    const isMaintenance = error instanceof MaintenanceError;
    response.headers['Retry-After'] = isMaintenance ? retryAfterMaintenance : retryAfter;
  }
  return response;
}

/** Every answer of 400 and above has this body; `details` is left out when there are none. No cache keeps an error. */
export function jsonError(
  code: ErrorCode,
  message: string,
  details: readonly ErrorDetail[] = [],
): HttpResponse {
  return {
    statusCode: statusOf[code],
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    body: JSON.stringify({ error: message, code, ...(details.length > 0 && { details }) }),
  };
}
