import type { Call } from '../../lib/http/call.ts';
import { type Handler, type Open, openDoor } from '../../lib/http/door.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** Whether this process is up and its LRS is open. */
export function healthDoors(open: Open): Record<'getHealth', Handler> {
  return { getHealth: openDoor(open, getHealth) };
}

async function getHealth(_: Call): Promise<HttpResponse> {
  return json(200, { status: 'ok' });
}
