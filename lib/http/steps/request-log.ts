import type { Request } from '@middy/core';
import type { OpenCall, Step } from '../call.ts';
import { clientAddress } from '../client-address.ts';
import type { HttpResponse } from '../types.ts';

/** One line per request at level `debug`: no header, query or body, which may hold secrets or names of people. */
export function requestLog(): Step<OpenCall> {
  const started = new WeakMap<OpenCall, number>();
  const requestLogBefore = ({ event }: Request<OpenCall>): void => {
    if (event.lrs.logger.isLevelEnabled('debug')) started.set(event, performance.now());
  };
  const requestLogAfter = ({ event, response }: Request<OpenCall, HttpResponse>): void => {
    const start = started.get(event);
    if (start === undefined) return;
    const milliseconds = Math.round(performance.now() - start);
    const { requestId, method, path } = event;
    event.lrs.logger.debug(
      { requestId, method, path, status: response?.statusCode, milliseconds, client: clientAddress(event) },
      'request',
    );
  };
  return { before: requestLogBefore, after: requestLogAfter, onError: requestLogAfter };
}
