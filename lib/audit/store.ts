import type { ReadSession, TableShape, WriteSession } from '../db/types.ts';
import type { AuditEvent, AuditQuery } from './types.ts';

const table = {
  name: 'audit_event',
  columns: {
    at: 'integer',
    id: 'uuid',
    account_id: 'uuid',
    username: 'text',
    action: 'text',
    subject: 'text',
    client: 'text',
    status: 'integer',
  },
} as const satisfies TableShape;

export async function insertEvent(session: WriteSession, event: AuditEvent): Promise<void> {
  const { at, id, accountId, username, action, subject, client, status } = event;
  await session.insert(table, [[at, id, accountId, username, action, subject, client, status]]);
}

/** Newest first, one more than the limit when there are more. */
export async function readEvents(session: ReadSession, { limit, before }: AuditQuery): Promise<AuditEvent[]> {
  const older = before === undefined ? '' : 'WHERE at < :at OR (at = :at AND id < :id)';
  const rows = await session.select<{
    at: number;
    id: string;
    account_id: string | null;
    username: string | null;
    action: string;
    subject: string | null;
    client: string | null;
    status: number;
  }>(
    `SELECT at, id, account_id, username, action, subject, client, status
     FROM audit_event ${older} ORDER BY at DESC, id DESC LIMIT :rows`,
    { rows: limit + 1, ...before },
  );
  return rows.map(({ account_id: accountId, ...row }) => ({ ...row, accountId }));
}
