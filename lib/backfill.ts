import type { Database } from './db/types.ts';
import { backfillDocumentAgents } from './documents/backfill.ts';
import type { Logger } from './logger.ts';
import { backfillAgents, backfillMentions, backfillTallies } from './statements/backfill.ts';

/**
 * Completes what an older release has stored, in small transactions; it may be interrupted and repeated.
 * @param deadline milliseconds since the epoch; no transaction begins after it.
 * @returns whether nothing is left.
 */
export async function backfill(
  db: Database,
  logger: Logger,
  deadline = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const done =
    (await backfillMentions(db, logger, deadline)) &&
    (await backfillTallies(db, logger, deadline)) &&
    (await backfillAgents(db, logger, deadline));
  if (done) await backfillDocumentAgents(db);
  return done;
}
