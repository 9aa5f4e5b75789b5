import type { Request } from '@middy/core';
import type { OpenCall, Step } from '../call.ts';
import type { HttpResponse } from '../types.ts';

/**
 * Names the `Cache-Control` of every response that has none of its own; without the header, browsers guess from
 * `Last-Modified` how long a response stays fresh (RFC 9111 4.2.2). Errors have theirs from `jsonError`.
 */
export function cacheControl(value: 'private, no-cache' | 'no-store'): Step<OpenCall> {
  return {
    after: ({ response }: Request<OpenCall, HttpResponse>): void => {
      if (response !== null) response.headers['Cache-Control'] ??= value;
    },
  };
}
