import { backgroundTask } from '../db/tables/background.ts';
import { rowsOf } from '../db/tables/table.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';

const table = rowsOf(backgroundTask);

/** Microseconds since the epoch throughout. */
export interface TaskRow {
  readonly owner: string | null;
  readonly until: number;
  readonly doneAt: number;
  readonly now: number;
}

/** The state of a task, and the time by the clock that counts for all processes. */
export async function selectTask(session: ReadSession, name: string): Promise<TaskRow> {
  const [row] = await session.select<{
    owner: string | null;
    until: number | null;
    done_at: number | null;
    now: number;
  }>(
    `SELECT t.lease_owner AS owner, t.lease_until AS until, t.done_at, clock.now
     FROM (SELECT ${session.dialect.nowSql} AS now) clock LEFT JOIN background_task t ON t.name = :name`,
    { name },
  );
  return {
    owner: row?.owner ?? null,
    until: row?.until ?? 0,
    doneAt: row?.done_at ?? 0,
    now: row?.now ?? Date.now() * 1000,
  };
}

export async function writeTask(
  session: WriteSession,
  name: string,
  { owner, until, doneAt }: Omit<TaskRow, 'now'>,
): Promise<void> {
  await session.upsert(table, [[name, owner, until, doneAt]], ['lease_owner', 'lease_until', 'done_at']);
}
