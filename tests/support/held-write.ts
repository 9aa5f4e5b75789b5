import type { Database, WriteSession } from '../../lib/db/types.ts';

/** A write transaction that stays open until it is told to end. */
export interface HeldWrite {
  /** Lets it commit. */
  release(): void;
  /** Makes its work fail, so that it is rolled back. */
  fail(reason: Error): void;
  /** Settles as the transaction does. */
  readonly done: Promise<void>;
}

/** Begins a write transaction; resolves when `work` is done in it and nothing but its end is left. */
export async function holdWrite(
  db: Database,
  work: (session: WriteSession) => Promise<unknown> = async () => undefined,
): Promise<HeldWrite> {
  let release = (): void => {};
  let fail = (_reason: Error): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    release = resolve;
    fail = reject;
  });
  return new Promise((resolve, reject) => {
    const done = db.write(async (session) => {
      await work(session);
      resolve({ release, fail, done: settled });
      await ended;
    });
    const settled = done.then(() => {});
    settled.catch(reject);
  });
}
