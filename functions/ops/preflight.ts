import type { OpenCall } from '../../lib/http/call.ts';
import { type Handler, type OpenConfigured, openHandler } from '../../lib/http/handler.ts';
import { noContent } from '../../lib/http/responses.ts';
import { corsPreflight } from '../../lib/http/steps/cors.ts';
import { headersUnderPrefix } from '../../lib/http/steps/headers-under-prefix.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { allowedMethods } from '../router.ts';

const everyMethod = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS'];

/** OPTIONS on every path: which methods and headers a page of another origin may send. */
export function preflightHandlers(open: OpenConfigured): Record<'preflight', Handler> {
  return {
    preflight: openHandler(open, preflight, {
      version: headersUnderPrefix(),
      more: [corsPreflight(methodsOf)],
    }),
  };
}

async function preflight(call: OpenCall): Promise<HttpResponse> {
  return noContent({ Allow: methodsOf(call).join(', ') });
}

/** On an unknown path a page may use every method, so that it can read the 404 response. */
function methodsOf(call: OpenCall): readonly string[] {
  const known = allowedMethods(call);
  return known.length === 0 ? everyMethod : known;
}
