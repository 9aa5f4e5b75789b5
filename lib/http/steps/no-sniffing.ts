import type { Request } from '@middy/core';
import type { OpenCall, Step } from '../call.ts';
import type { HttpResponse } from '../types.ts';

/**
 * Keeps browsers from guessing another content type than the one that the response names: what clients have stored is never
 * run as a script or a page.
 */
export function noSniffing(): Step<OpenCall> {
  return {
    after: ({ response }: Request<OpenCall, HttpResponse>): void => {
      if (response !== null) response.headers['X-Content-Type-Options'] = 'nosniff';
    },
  };
}
