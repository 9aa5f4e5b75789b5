import type { ReadSession, WriteSession } from '../db/types.ts';
import type { Position } from '../statements/types.ts';
import { consumerTable } from './tables.ts';
import type { ConsumerState, NewConsumer } from './types.ts';

/** A row of `feed_consumer`, with further values of the same moment. */
export interface ConsumerRow {
  readonly name: string;
  readonly kind: string;
  readonly position: Position;
  readonly state: ConsumerState;
  readonly lease_owner: string | null;
  /** Microseconds since the epoch, as the other times. */
  readonly lease_until: number;
  /** 0 when it does not need events. */
  readonly takes_events: number;
  readonly error: string | null;
  readonly attempts: number;
  readonly next_attempt: number;
  /** The newest position of a statement; null when there is none. */
  readonly statement: Position | null;
  /** The newest position of an event. */
  readonly event: Position | null;
  /** The oldest position of an event. */
  readonly oldest_event: Position | null;
  /** The clock of the server, or of the machine that a file is on. */
  readonly now: number;
}

function consumersSql({ dialect }: Pick<ReadSession, 'dialect'>): string {
  return `SELECT name, kind, position, state, lease_owner, lease_until, takes_events, error, attempts, next_attempt,
    (SELECT MAX(position) FROM statement) AS statement, (SELECT MAX(position) FROM feed_event) AS event,
    (SELECT MIN(position) FROM feed_event) AS oldest_event, ${dialect.nowSql} AS now FROM feed_consumer`;
}

/** By name. */
export function selectConsumers(session: ReadSession): Promise<ConsumerRow[]> {
  return session.select<ConsumerRow>(`${consumersSql(session)} ORDER BY name`);
}

export async function selectConsumer(session: ReadSession, name: string): Promise<ConsumerRow | undefined> {
  const [row] = await session.select<ConsumerRow>(`${consumersSql(session)} WHERE name = :name`, { name });
  return row;
}

/** The position up to which items are done for a consumer; undefined when there is no such consumer. */
export async function cursorOf(session: ReadSession, name: string): Promise<Position | undefined> {
  const [row] = await session.select<{ position: Position }>(
    'SELECT position FROM feed_consumer WHERE name = :name',
    { name },
  );
  return row?.position;
}

/** Unless it is told where to begin, everything stored so far counts as done. */
export async function insertConsumer(session: WriteSession, consumer: NewConsumer): Promise<void> {
  const { name, kind, cursor = await selectNewest(session), takesEvents = true } = consumer;
  await session.insert(consumerTable, [[name, kind, cursor, 'running', takesEvents ? 1 : 0]], {
    skipTaken: true,
  });
}

async function selectNewest(session: ReadSession): Promise<Position> {
  const [row] = await session.select<{ statement: Position | null; event: Position | null }>(
    'SELECT (SELECT MAX(position) FROM statement) AS statement, (SELECT MAX(position) FROM feed_event) AS event',
  );
  return Math.max(row?.statement ?? 0, row?.event ?? 0);
}

export async function deleteConsumer(session: WriteSession, name: string): Promise<void> {
  await session.execute('DELETE FROM feed_consumer WHERE name = :name', { name });
}

/** The process that works for it, and the end of its lease. */
export interface Lease {
  readonly owner: string | null;
  readonly until: number;
}

/** Moves the cursor after a successful attempt, or leaves it in place. */
export async function updateProgress(
  session: WriteSession,
  name: string,
  { position, owner, until }: Lease & { readonly position: Position },
): Promise<void> {
  await session.execute(
    `UPDATE feed_consumer SET position = :position, lease_owner = :owner, lease_until = :until
     WHERE name = :name`,
    { name, position, owner, until },
  );
}

/** The result of the last attempts. */
export interface Outcome {
  readonly state: ConsumerState;
  readonly error: string | null;
  readonly attempts: number;
  readonly nextAttempt: number;
}

export const noFailure: Outcome = { state: 'running', error: null, attempts: 0, nextAttempt: 0 };

/** Ends the lease, so that the process that has it stops. */
export async function updateOutcome(
  session: WriteSession,
  name: string,
  { state, error, attempts, nextAttempt }: Outcome,
): Promise<void> {
  await session.execute(
    `UPDATE feed_consumer SET state = :state, error = :error, attempts = :attempts, next_attempt = :nextAttempt,
       lease_owner = NULL, lease_until = 0 WHERE name = :name`,
    { name, state, error, attempts, nextAttempt },
  );
}

export async function pauseConsumer(session: WriteSession, name: string): Promise<void> {
  await session.execute(
    "UPDATE feed_consumer SET state = 'paused', lease_owner = NULL, lease_until = 0 WHERE name = :name",
    { name },
  );
}
