import type { Request } from '@middy/core';
import type { Call, Step } from '../call.ts';
import type { HttpResponse } from '../types.ts';

/** Says of errors that no cache keeps them, where the same address has an answer that caches do keep. */
export function uncachedErrors(): Step<Call> {
  return {
    onError: ({ response }: Request<Call, HttpResponse>) => {
      if (response !== null) response.headers['Cache-Control'] = 'no-store';
    },
  };
}
