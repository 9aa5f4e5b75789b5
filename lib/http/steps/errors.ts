import type { Request } from '@middy/core';
import { LrsError, MalwareError, outageOf, TooManyRequestsError } from '../../errors.ts';
import { earlyLogger } from '../../logger.ts';
import { refused } from '../../telemetry/measure.ts';
import type { OpenCall, Step, XapiCall } from '../call.ts';
import { errorResponse } from '../error-response.ts';
import type { HttpResponse } from '../types.ts';

/** Whose bearer is known, if it has one. */
type AnyCall = OpenCall & Partial<Pick<XapiCall, 'principal'>>;

/**
 * The innermost step: whatever was thrown becomes the answer to it, before the outer steps add their headers. What a client
 * is not told goes to the log.
 */
export function errors(): Step<OpenCall> {
  const errorsOnError = (request: Request<AnyCall, HttpResponse>): void => {
    const { error, event } = request;
    request.response = errorResponse(error);
    if (error instanceof LrsError) refused(error.kind, ruleOf(error));
    const logger = event.lrs?.logger ?? earlyLogger;
    const { requestId, method } = event;
    // Where a store could not be entered, no logger names it.
    const path = event.lrs === undefined ? event.externalPath : event.path;
    if (!(error instanceof LrsError)) {
      logger.error({ err: error, requestId, method, path }, 'request failed');
    } else if (error instanceof MalwareError) {
      const { credentialId } = event.principal ?? {};
      logger.warn({ found: error.details, credentialId, requestId, method, path }, 'malware was refused');
    } else if (error.cause !== undefined) {
      const isNews = error.kind === 'unavailable' && outageOf(error) === undefined;
      const level = isNews ? 'error' : 'debug';
      logger[level]({ err: error.cause, requestId, method, path }, error.message);
    }
  };
  return { onError: errorsOnError };
}

/** The rule that the first detail of a refusal names, or the setting of its limit. */
function ruleOf(error: LrsError): string {
  if (error instanceof TooManyRequestsError) return error.setting ?? '';
  const [first] = error.details;
  return first?.section ?? first?.rule ?? '';
}
