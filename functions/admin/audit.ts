import type { AuditEvent, AuditOutcome } from '../../lib/audit/types.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminViewHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** Who did what through the administration. */
export function auditHandlers(open: Open): Record<'listAuditEvents', Handler> {
  return { listAuditEvents: adminViewHandler(open, listAuditEvents) };
}

async function listAuditEvents({ lrs, query, externalPath }: AdminCall): Promise<HttpResponse> {
  // Loaded with the first request, as elsewhere.
  const { nextAuditPage, readAuditParameters } = await import('../../lib/audit/parameters.ts');
  const { events, next } = await lrs.audit.query(readAuditParameters(query));
  const more = next === undefined ? '' : `${externalPath}?${nextAuditPage(query, next)}`;
  return json(200, { events: events.map(presented), more });
}

function presented(event: AuditEvent): object {
  const { id, at, accountId, username, kind, action, subject, agent, agentKey, keyPair, client } = event;
  const { status, times, lastAt, details } = event;
  return {
    id,
    at: timeOf(at),
    'account-id': accountId,
    ...{ username, kind, action, subject },
    ...(agentKey !== null && { 'agent-key': agentKey, agent: agent ?? null }),
    ...(keyPair !== null && { 'key-pair': keyPair }),
    ...(details.filters !== undefined && { filters: details.filters }),
    ...(details.counts !== undefined && { counts: details.counts }),
    ...(details.requestId !== undefined && { 'request-id': details.requestId }),
    ...(times > 1 && { times, 'last-at': timeOf(lastAt) }),
    ...{ client, status, outcome: outcomeOf(event) },
  };
}

const timeOf = (microseconds: number): string => new Date(microseconds / 1000).toISOString();

function outcomeOf({ status, details }: AuditEvent): AuditOutcome {
  if (status === 0) return 'unknown';
  if (details.interrupted === true) return 'interrupted';
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
}
