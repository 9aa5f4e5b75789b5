import { matches } from '../documents/entity-tag.ts';
import { readConditions } from './conditions.ts';
import type { HttpRequest, HttpResponse } from './types.ts';

/**
 * The answer to a GET whose content may be compared by its ETag (xAPI 1.0.3 Communication 3.1). Such content is somebody
 * else's data: a browser that is led to it neither guesses what it is nor runs it.
 * `updated` is in microseconds since the epoch.
 */
export function tagged(
  call: Pick<HttpRequest, 'headers'>,
  { contentType, content }: { readonly contentType: string; readonly content: string | Buffer },
  { etag, updated }: { readonly etag: string; readonly updated?: number | undefined },
): HttpResponse {
  const headers: Record<string, string> = {
    ETag: `"${etag}"`,
    ...(updated !== undefined && { 'Last-Modified': new Date(updated / 1000).toUTCString() }),
  };
  const { ifNoneMatch } = readConditions(call);
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, etag)) return { statusCode: 304, headers };
  return {
    statusCode: 200,
    headers: {
      'Content-Type': contentType,
      ...headers,
      'Content-Security-Policy': 'sandbox',
    },
    body: content,
  };
}
