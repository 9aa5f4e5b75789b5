import type { KnownAgent } from '../../lib/browse/types.ts';
import { LrsError } from '../../lib/errors.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { noteList } from '../../lib/http/operator-notes.ts';
import { json } from '../../lib/http/responses.ts';
import { dryRun } from '../../lib/http/steps/audit-trail.ts';
import { requireSetting } from '../../lib/http/steps/require-setting.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { agentOf } from '../../lib/xapi/agent.ts';

/** Loaded with the first request that needs them: what checks requests takes a function as long as all the rest. */
const parameterReaders = () => import('../../lib/browse/parameters.ts');

/** The Agents and identified Groups that are known. */
export function agentListHandlers(open: Open): Record<'listAgents', Handler> {
  return { listAgents: adminHandler(open, listAgents, { note: noteList }) };
}

async function listAgents(call: AdminCall): Promise<HttpResponse> {
  const { lrs, query, externalPath } = call;
  const { nextListPage, readAgentListParameters } = await parameterReaders();
  const { entries, next } = await lrs.browse.agents(readAgentListParameters(query));
  call.counts = () => ({ agents: entries.length });
  const more = next === undefined ? '' : `${externalPath}?${nextListPage(query, next)}`;
  return json(200, { agents: entries.map(presented), more });
}

function presented({ identifier, names, statements }: KnownAgent): object {
  return { agent: agentOf(identifier), names, ...(statements !== undefined && { statements }) };
}

/** Hard deletion of an actor. */
export function erasureHandlers(open: Open): Record<'deleteActor', Handler> {
  const setting = { feature: 'The deletion of actors', setting: 'webserver.enableAdminDeleteActor' };
  const first = [requireSetting(({ webserver }) => webserver.enableAdminDeleteActor, setting)];
  return { deleteActor: adminHandler(open, deleteActor, { first, note: noteErasure }) };
}

async function deleteActor(call: AdminCall): Promise<HttpResponse> {
  const { lrs, json: body, query } = call;
  const { readErasureBody } = await import('../../lib/erasure/actor-ifi.ts');
  const { identifier, 'actor-ifi': ifi, 'dry-run': isDryRun } = readErasureBody(body, query);
  const rows = await (isDryRun ? lrs.erasure.count(identifier) : lrs.erasure.erase(identifier));
  call.counts = () => rows;
  const receipt = {
    'audit-event': call.entryId,
    at: new Date().toISOString(),
    username: call.account.username,
  };
  return json(200, { 'actor-ifi': ifi, 'dry-run': isDryRun, rows, ...(!isDryRun && { receipt }) });
}

/** Before the first row is deleted: it may be completed after a crash, and then the trail has nothing else of it. */
async function noteErasure(call: AdminCall): Promise<void> {
  const { json: body, query } = call;
  if (body?.['dry-run'] === true) call.variant = dryRun;
  const { readErasureBody } = await import('../../lib/erasure/actor-ifi.ts');
  try {
    call.agent = readErasureBody(body, query).identifier;
  } catch (error) {
    // The action refuses it.
    if (!(error instanceof LrsError)) throw error;
  }
}
