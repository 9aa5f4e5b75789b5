import { nextAuditPage, readAuditParameters } from '../../lib/audit/parameters.ts';
import type { AuditEvent } from '../../lib/audit/types.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminViewDoor, type Handler, type Open } from '../../lib/http/door.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** Who did what through the administration. */
export function auditDoors(open: Open): Record<'listAuditEvents', Handler> {
  return { listAuditEvents: adminViewDoor(open, listAuditEvents) };
}

async function listAuditEvents({ lrs, query, externalPath }: AdminCall): Promise<HttpResponse> {
  const parameters = readAuditParameters(query);
  const { events, next } = await lrs.audit.query(parameters);
  const more = next === undefined ? '' : `${externalPath}?${nextAuditPage(parameters.limit, next)}`;
  return json(200, { events: events.map(presented), more });
}

function presented({ id, at, accountId, username, action, subject, client, status }: AuditEvent): object {
  const time = new Date(at / 1000).toISOString();
  return { id, at: time, 'account-id': accountId, username, action, subject, client, status };
}
