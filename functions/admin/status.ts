import type { AdminCall } from '../../lib/http/call.ts';
import { adminViewDoor, type Handler, type Open } from '../../lib/http/door.ts';
import { json } from '../../lib/http/responses.ts';
import { requireSetting } from '../../lib/http/steps/require-setting.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { readStatusParameters } from '../../lib/status/parameters.ts';

/** What the store holds, in numbers. */
export function statusDoors(open: Open): Record<'getStatus', Handler> {
  const setting = { feature: 'The status', setting: 'webserver.enableAdminStatus' };
  const first = [requireSetting(({ webserver }) => webserver.enableAdminStatus, setting)];
  return { getStatus: adminViewDoor(open, getStatus, { first }) };
}

async function getStatus({ lrs, query }: AdminCall): Promise<HttpResponse> {
  return json(200, await lrs.status.status(readStatusParameters(query)));
}
