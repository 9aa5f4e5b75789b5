import { PacedWrites } from '../db/paced-writes.ts';
import type { Database } from '../db/types.ts';
import { UnavailableError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { PositionClock } from '../position.ts';
import { StatementRemover } from '../statements/removal.ts';
import { countRows } from './count-rows.ts';
import { noRows } from './counts.ts';
import { deleteProgress, phases, selectProgress, selectUnfinished, writeProgress } from './progress-store.ts';
import { advance } from './step.ts';
import type { ErasureService, RowCounts } from './types.ts';

export function createErasureService(
  db: Database,
  logger: Logger,
  clock = new PositionClock(),
): ErasureService {
  const remover = new StatementRemover();
  const writes = new PacedWrites(db);
  let stopped = false;

  /** One transaction, which also notes how far it has come. @returns undefined when another process has ended the erasure. */
  function step(identifier: string): Promise<{ removed: RowCounts; ended: boolean } | undefined> {
    return writes.write(async (session, share) => {
      const before = await selectProgress(session, identifier);
      if (before === undefined) return undefined;
      const { removed, progress } = await advance({ session, remover, clock, identifier, share }, before);
      if (progress === undefined) await deleteProgress(session, identifier);
      else await writeProgress(session, identifier, progress);
      return { removed, ended: progress === undefined };
    });
  }

  async function finish(identifier: string): Promise<RowCounts> {
    let removed = noRows;
    while (!stopped) {
      const result = await step(identifier);
      if (result === undefined) return removed;
      removed = result.removed;
      if (result.ended) return removed;
    }
    throw new UnavailableError('The server stops; the erasure goes on when it starts again.');
  }

  return {
    count: (identifier) => countRows(db, identifier),

    async erase(identifier) {
      // What is pending could hand on keys of the actor behind the back of the walk that removes them.
      while (await writes.write((session, share) => remover.propagateReferences(session, share)));
      await writes.write(async (session) => {
        if (await selectProgress(session, identifier)) return;
        await writeProgress(session, identifier, { phase: phases[0], cursor: null, removed: noRows });
      });
      return finish(identifier);
    },

    async resume() {
      const unfinished = await db.read(selectUnfinished);
      for (const identifier of unfinished) {
        const rows = await finish(identifier);
        logger.info({ rows }, 'an erasure that was interrupted is complete');
      }
    },

    async resumeUntil(deadline) {
      for (const identifier of await db.read(selectUnfinished)) {
        for (let ended = false; !ended; ) {
          if (Date.now() >= deadline) return false;
          ended = (await step(identifier))?.ended ?? true;
        }
      }
      return true;
    },

    stop() {
      stopped = true;
    },
  };
}
