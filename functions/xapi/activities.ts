import { readActivityParameters } from '../../lib/activities/parameters.ts';
import { entityTagOf } from '../../lib/documents/entity-tag.ts';
import type { XapiCall } from '../../lib/http/call.ts';
import { type Handler, type Open, xapiDoor } from '../../lib/http/door.ts';
import { tagged } from '../../lib/http/tagged.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** The Activities resource (xAPI 1.0.3 Communication 2.5). */
export function activityDoors(open: Open): Record<'getActivity', Handler> {
  return { getActivity: xapiDoor(open, 'activities', { actions: { GET: getActivity, HEAD: getActivity } }) };
}

async function getActivity(call: XapiCall): Promise<HttpResponse> {
  const content = await call.lrs.activities.activity(readActivityParameters(call.query));
  return tagged(call, { contentType: 'application/json', content }, { etag: entityTagOf(content) });
}
