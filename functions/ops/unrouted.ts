import { MethodNotAllowedError, NotFoundError } from '../../lib/errors.ts';
import type { OpenCall } from '../../lib/http/call.ts';
import { type Handler, type OpenConfigured, openHandler } from '../../lib/http/handler.ts';
import { headersUnderPrefix } from '../../lib/http/steps/headers-under-prefix.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { allowedMethods } from '../router.ts';

/** What no route answers: 405 with `Allow` where the path is known, else 404. */
export function unroutedHandlers(open: OpenConfigured): Record<'unrouted', Handler> {
  return { unrouted: openHandler(open, unrouted, { version: headersUnderPrefix() }) };
}

const longestEcho = 200;

async function unrouted(call: OpenCall): Promise<HttpResponse> {
  const { method, path, lrs } = call;
  const shown = path.slice(0, longestEcho);
  const { urlPrefix } = lrs.config.webserver;
  const allowed = allowedMethods(call);
  if (allowed.length === 0) {
    throw new NotFoundError(
      `There is nothing at ${shown}. The xAPI is at ${urlPrefix}, where ${urlPrefix}/about says what it speaks; README.md tells the rest.`,
    );
  }
  throw new MethodNotAllowedError(`${shown} does not answer ${method}, only ${allowed.join(', ')}.`, allowed);
}
