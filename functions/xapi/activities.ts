import { entityTagOf } from '../../lib/documents/entity-tag.ts';
import type { XapiCall } from '../../lib/http/call.ts';
import { type Handler, type Open, xapiHandler } from '../../lib/http/handler.ts';
import { tagged } from '../../lib/http/tagged.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { allowedMethods } from '../router.ts';

/** The Activities resource (xAPI 1.0.3 Communication 2.5). */
export function activityHandlers(open: Open): Record<'getActivity', Handler> {
  return {
    getActivity: xapiHandler(open, 'activities', {
      actions: { GET: getActivity, HEAD: getActivity },
      allowed: allowedMethods,
    }),
  };
}

async function getActivity(call: XapiCall): Promise<HttpResponse> {
  const { readActivityParameters } = await import('../../lib/activities/parameters.ts');
  const content = await call.lrs.activities.activity(readActivityParameters(call.query));
  return tagged(call, { contentType: 'application/json', content }, { etag: entityTagOf(content) });
}
