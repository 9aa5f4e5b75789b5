import { entityTagOf } from '../../lib/documents/entity-tag.ts';
import type { XapiCall } from '../../lib/http/call.ts';
import { type Handler, type Open, xapiHandler } from '../../lib/http/handler.ts';
import { tagged } from '../../lib/http/tagged.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { allowedMethods } from '../router.ts';

/** The Agents resource (xAPI 1.0.3 Communication 2.4). */
export function agentHandlers(open: Open): Record<'getPerson', Handler> {
  return {
    getPerson: xapiHandler(open, 'agents', {
      actions: { GET: getPerson, HEAD: getPerson },
      allowed: allowedMethods,
    }),
  };
}

async function getPerson(call: XapiCall): Promise<HttpResponse> {
  const { readAgentParameters } = await import('../../lib/agents/parameters.ts');
  const person = await call.lrs.agents.person(readAgentParameters(call.query));
  const content = JSON.stringify(person);
  return tagged(call, { contentType: 'application/json', content }, { etag: entityTagOf(content) });
}
