import type { Database } from '../db/types.ts';
import { ConflictError } from '../errors.ts';
import { newestPosition } from '../export/reader.ts';
import type { Progress } from './journal.ts';

/**
 * Statements that keep their `stored` are placed before what is stored already, and readers that continue by time would never
 * see them (docs/decisions/0059). So the store has to be empty, or this import has begun when it was.
 * @throws ConflictError otherwise.
 */
export async function requireEmptyStore(db: Database, before: Progress | undefined): Promise<void> {
  if (before !== undefined || (await newestPosition(db)) === 0) return;
  throw new ConflictError(
    'The store has statements already. Statements that keep their stored time come before or between them, and programs that read with since, or from Consistent-Through on, never see those that are older than where they are. Give --merge if no program reads so, or all of them start anew; or leave out --trusted, so that statements are stored as new ones.',
  );
}
