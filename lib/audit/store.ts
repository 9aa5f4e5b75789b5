import { type Key, keyOf } from '../db/key.ts';
import { join, type Sql, sql } from '../db/sql.ts';
import { auditEvent } from '../db/tables/administration.ts';
import { rowsOf } from '../db/tables/table.ts';
import type { InsertRow, ReadSession, WriteSession } from '../db/types.ts';
import { agentOf } from '../xapi/agent.ts';
import type { AuditEvent, AuditEventDetails, AuditKind, AuditPlace, AuditQuery } from './types.ts';

const table = rowsOf(
  auditEvent,
  'at',
  'id',
  'account_id',
  'username',
  'kind',
  'action',
  'subject',
  'agent_key',
  'key_pair',
  'client',
  'status',
  'details',
  'merge_key',
  'times',
  'last_at',
);

/** An event as it is written. */
export interface EventRow extends Omit<AuditEvent, 'agent' | 'times' | 'lastAt'> {
  /** Equal for events that may share a row; null for one that never does. */
  readonly mergeKey: Key | null;
}

export async function insertEvent(session: WriteSession, event: EventRow): Promise<void> {
  const { at, id, accountId, username, kind, action, subject, agentKey, keyPair, client, status } = event;
  const who: InsertRow = [at, id, accountId, username];
  const what: InsertRow = [kind, action, subject, agentKey, keyPair, client, status];
  await session.insert(table, [[...who, ...what, JSON.stringify(event.details), event.mergeKey, 1, at]]);
}

/** Replaces all but the place of an event that is there. */
export async function completeEvent(session: WriteSession, event: EventRow): Promise<void> {
  await session.execute(
    `UPDATE audit_event SET account_id = :accountId, username = :username, kind = :kind, action = :action, subject = :subject,
       agent_key = :agentKey, key_pair = :keyPair, client = :client, status = :status, details = :details,
       merge_key = :mergeKey, last_at = :at
     WHERE at = :at AND id = :id`,
    {
      ...event,
      agentKey: event.agentKey && Buffer.from(event.agentKey, 'hex'),
      details: JSON.stringify(event.details),
      mergeKey: event.mergeKey && Buffer.from(event.mergeKey, 'hex'),
    },
  );
}

export async function deleteEvent(session: WriteSession, { at, id }: AuditPlace): Promise<void> {
  await session.execute('DELETE FROM audit_event WHERE at = :at AND id = :id', { at, id });
}

/** An event that equal ones may be added to. */
export interface SharedEvent extends AuditPlace {
  readonly details: AuditEventDetails;
  readonly times: number;
}

/** The newest event with this key that is not older than `since` (microseconds). */
export async function selectShared(
  session: ReadSession,
  mergeKey: Key,
  since: number,
): Promise<SharedEvent | undefined> {
  const [row] = await session.select<AuditPlace & { times: number; details: string | null }>(
    `SELECT at, id, times, details FROM audit_event WHERE merge_key = :mergeKey AND at >= :since
     ORDER BY at DESC LIMIT 1`,
    { mergeKey: Buffer.from(mergeKey, 'hex'), since },
  );
  return row && { ...row, details: detailsIn(row.details) };
}

export async function updateShared(
  session: WriteSession,
  { at, id, details, times }: SharedEvent,
  lastAt: number,
): Promise<void> {
  await session.execute(
    'UPDATE audit_event SET details = :details, times = :times, last_at = :lastAt WHERE at = :at AND id = :id',
    { at, id, details: JSON.stringify(details), times, lastAt },
  );
}

interface SelectedEvent {
  readonly at: number;
  readonly id: string;
  readonly account_id: string | null;
  readonly username: string | null;
  readonly kind: AuditKind | null;
  readonly action: string;
  readonly subject: string | null;
  readonly agent_key: Buffer | null;
  readonly identifier: string | null;
  readonly key_pair: string | null;
  readonly client: string | null;
  readonly status: number;
  readonly details: string | null;
  readonly times: number;
  readonly last_at: number | null;
}

/** Newest first, one more than the limit when there are more. */
export async function readEvents(session: ReadSession, query: AuditQuery): Promise<AuditEvent[]> {
  const conditions = conditionsOf(query);
  const where = conditions.length === 0 ? sql`` : sql`WHERE ${join(conditions, ' AND ')}`;
  const { text, values } =
    sql`SELECT e.at, e.id, account_id, username, kind, action, subject, e.agent_key, identifier,
      key_pair, client, status, details, times, last_at
    FROM audit_event e LEFT JOIN agent ON agent.agent_key = e.agent_key
    ${where} ORDER BY e.at DESC, e.id DESC LIMIT ${query.limit + 1}`;
  return (await session.select<SelectedEvent>(text, values)).map(eventOf);
}

function conditionsOf({ before, kind, username, agent }: AuditQuery): Sql[] {
  const conditions: Sql[] = [];
  if (before !== undefined)
    conditions.push(sql`(e.at < ${before.at} OR (e.at = ${before.at} AND e.id < ${before.id}))`);
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (username !== undefined) conditions.push(sql`username = ${username}`);
  if (agent !== undefined) conditions.push(sql`e.agent_key = ${Buffer.from(keyOf(agent), 'hex')}`);
  return conditions;
}

function eventOf(row: SelectedEvent): AuditEvent {
  const { at, id, username, action, subject, client, status, times } = row;
  return {
    ...{ id, at, username, action, subject, client, status, times },
    accountId: row.account_id,
    kind: row.kind ?? 'change',
    agent: row.identifier === null ? undefined : agentOf(row.identifier),
    agentKey: row.agent_key?.toString('hex') ?? null,
    keyPair: row.key_pair,
    details: detailsIn(row.details),
    lastAt: row.last_at ?? at,
  };
}

function detailsIn(text: string | null): AuditEventDetails {
  return JSON.parse(text ?? '{}');
}
