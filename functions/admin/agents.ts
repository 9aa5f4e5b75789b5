import { nextListPage, readListParameters } from '../../lib/directory/parameters.ts';
import type { KnownAgent } from '../../lib/directory/types.ts';
import { readErasureBody } from '../../lib/erasure/actor-ifi.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminDoor, adminViewDoor, type Handler, type Open } from '../../lib/http/door.ts';
import { json } from '../../lib/http/responses.ts';
import { requireSetting } from '../../lib/http/steps/require-setting.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { agentOf } from '../../lib/xapi/agent.ts';

/** The Agents and identified Groups that are known. */
export function agentListDoors(open: Open): Record<'listAgents', Handler> {
  return { listAgents: adminViewDoor(open, listAgents) };
}

async function listAgents({ lrs, query, externalPath }: AdminCall): Promise<HttpResponse> {
  const { entries, next } = await lrs.directory.agents(readListParameters(query));
  const more = next === undefined ? '' : `${externalPath}?${nextListPage(query, next)}`;
  return json(200, { agents: entries.map(presented), more });
}

function presented({ identifier, names, statements }: KnownAgent): object {
  return { agent: agentOf(identifier), names, ...(statements !== undefined && { statements }) };
}

/** Hard deletion of an actor. */
export function erasureDoors(open: Open): Record<'deleteActor', Handler> {
  const setting = { feature: 'The deletion of actors', setting: 'webserver.enableAdminDeleteActor' };
  const first = [requireSetting(({ webserver }) => webserver.enableAdminDeleteActor, setting)];
  return { deleteActor: adminDoor(open, deleteActor, { first }) };
}

async function deleteActor(call: AdminCall): Promise<HttpResponse> {
  const { lrs, json: body, query } = call;
  const { identifier, 'actor-ifi': ifi, 'dry-run': dryRun } = readErasureBody(body, query);
  call.dryRun = dryRun;
  const rows = await (dryRun ? lrs.erasure.count(identifier) : lrs.erasure.erase(identifier));
  return json(200, { 'actor-ifi': ifi, 'dry-run': dryRun, rows });
}
