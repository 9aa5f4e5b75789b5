import { nextListPage, readAgentListParameters } from '../../lib/directory/parameters.ts';
import type { KnownAgent } from '../../lib/directory/types.ts';
import { readErasureBody } from '../../lib/erasure/actor-ifi.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminDoor, type Handler, type Open } from '../../lib/http/door.ts';
import { noteList } from '../../lib/http/operator-notes.ts';
import { json } from '../../lib/http/responses.ts';
import { dryRun } from '../../lib/http/steps/audit-trail.ts';
import { requireSetting } from '../../lib/http/steps/require-setting.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { agentOf } from '../../lib/xapi/agent.ts';

/** The Agents and identified Groups that are known. */
export function agentListDoors(open: Open): Record<'listAgents', Handler> {
  return { listAgents: adminDoor(open, listAgents, { note: noteList }) };
}

async function listAgents(call: AdminCall): Promise<HttpResponse> {
  const { lrs, query, externalPath } = call;
  const { entries, next } = await lrs.directory.agents(readAgentListParameters(query));
  call.counts = () => ({ agents: entries.length });
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
  return { deleteActor: adminDoor(open, deleteActor, { first, note: noteDryRun }) };
}

async function deleteActor(call: AdminCall): Promise<HttpResponse> {
  const { lrs, json: body, query } = call;
  const { identifier, 'actor-ifi': ifi, 'dry-run': isDryRun } = readErasureBody(body, query);
  call.agent = identifier;
  const rows = await (isDryRun ? lrs.erasure.count(identifier) : lrs.erasure.erase(identifier));
  call.counts = () => rows;
  const receipt = {
    'audit-event': call.entryId,
    at: new Date().toISOString(),
    username: call.account.username,
  };
  return json(200, { 'actor-ifi': ifi, 'dry-run': isDryRun, rows, ...(!isDryRun && { receipt }) });
}

function noteDryRun(call: AdminCall): void {
  if (call.json?.['dry-run'] === true) call.variant = dryRun;
}
