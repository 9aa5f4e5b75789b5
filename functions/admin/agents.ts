import { readErasureBody } from '../../lib/erasure/actor-ifi.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminDoor, type Handler, type Open } from '../../lib/http/door.ts';
import { json } from '../../lib/http/responses.ts';
import { requireSetting } from '../../lib/http/steps/require-setting.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** Hard deletion of an actor. */
export function erasureDoors(open: Open): Record<'deleteActor', Handler> {
  const setting = { feature: 'The deletion of actors', setting: 'webserver.enableAdminDeleteActor' };
  const first = [requireSetting(({ webserver }) => webserver.enableAdminDeleteActor, setting)];
  return { deleteActor: adminDoor(open, deleteActor, { first }) };
}

async function deleteActor({ lrs, json: body }: AdminCall): Promise<HttpResponse> {
  const { identifier, 'actor-ifi': ifi, 'dry-run': dryRun } = readErasureBody(body);
  const rows = await (dryRun ? lrs.erasure.count(identifier) : lrs.erasure.erase(identifier));
  return json(200, { 'actor-ifi': ifi, 'dry-run': dryRun, rows });
}
