import { readAgentParameters } from '../../lib/agents/parameters.ts';
import { entityTagOf } from '../../lib/documents/entity-tag.ts';
import type { XapiCall } from '../../lib/http/call.ts';
import { type Handler, type Open, xapiDoor } from '../../lib/http/door.ts';
import { tagged } from '../../lib/http/tagged.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** The Agents resource (xAPI 1.0.3 Communication 2.4). */
export function agentDoors(open: Open): Record<'getPerson', Handler> {
  return { getPerson: xapiDoor(open, 'agents', { actions: { GET: getPerson, HEAD: getPerson } }) };
}

async function getPerson(call: XapiCall): Promise<HttpResponse> {
  const person = await call.lrs.agents.person(readAgentParameters(call.query));
  const content = JSON.stringify(person);
  return tagged(call, { contentType: 'application/json', content }, { etag: entityTagOf(content) });
}
