import { randomUUID } from 'node:crypto';
import type { Database } from '../db/types.ts';
import type { Logger } from '../logger.ts';
import { selectTask, writeTask } from './task-store.ts';

/** Work that no request waits for, done in slices that may be interrupted anywhere. */
export interface BackgroundTask {
  readonly name: string;
  /** Seconds between two times that the task is done; 0 when undefined. */
  readonly every?: number;
  /**
   * @param deadline milliseconds since the epoch; no slice begins after it.
   * @returns whether nothing is left to do.
   */
  run(deadline: number): Promise<boolean>;
}

/** What became of each task. */
export type BackgroundOutcome = 'done' | 'unfinished' | 'elsewhere' | 'not due' | 'failed';

/** How long (ms) a lease outlives the deadline of its work: a slice that began before it may take so long. */
const grace = 30_000;

/**
 * Does the tasks one after another, each under a lease of its own, so that no two processes do the same. Where one fails the
 * others are done all the same; what is left is for the next run.
 * @param deadline milliseconds since the epoch.
 */
export async function runBackground(
  {
    db,
    logger,
    tasks,
  }: { readonly db: Database; readonly logger: Logger; readonly tasks: readonly BackgroundTask[] },
  deadline: number,
): Promise<Readonly<Record<string, BackgroundOutcome>>> {
  const outcomes: Record<string, BackgroundOutcome> = {};
  for (const task of tasks) {
    try {
      outcomes[task.name] = await runTask(db, task, deadline);
    } catch (error) {
      outcomes[task.name] = 'failed';
      logger.error({ err: error, task: task.name }, 'a background task failed; the next run tries again');
    }
  }
  return outcomes;
}

async function runTask(db: Database, task: BackgroundTask, deadline: number): Promise<BackgroundOutcome> {
  if (Date.now() >= deadline) return 'unfinished';
  const owner = randomUUID();
  const refused = await claim(db, task, { owner, milliseconds: deadline - Date.now() + grace });
  if (refused !== undefined) return refused;
  let done = false;
  try {
    done = await task.run(deadline);
    return done ? 'done' : 'unfinished';
  } finally {
    await release(db, task, { owner, done });
  }
}

/** Takes the lease of a task. @returns why not, or undefined. */
function claim(
  db: Database,
  { name, every = 0 }: BackgroundTask,
  { owner, milliseconds }: { readonly owner: string; readonly milliseconds: number },
): Promise<BackgroundOutcome | undefined> {
  return db.write(async (session) => {
    const row = await selectTask(session, name);
    if (row.owner !== null && row.until > row.now) return 'elsewhere';
    if (row.doneAt + every * 1_000_000 > row.now) return 'not due';
    await writeTask(session, name, { ...row, owner, until: row.now + Math.ceil(milliseconds) * 1000 });
    return undefined;
  });
}

async function release(
  db: Database,
  { name }: BackgroundTask,
  { owner, done }: { readonly owner: string; readonly done: boolean },
): Promise<void> {
  await db.write(async (session) => {
    const row = await selectTask(session, name);
    if (row.owner !== owner) return;
    await writeTask(session, name, { owner: null, until: 0, doneAt: done ? row.now : row.doneAt });
  });
}
