import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../errors.ts';
import { allTablesSql } from './all-tables.ts';
import { driverError } from './dialects/driver-error.ts';
import type { MonitoredDatabase } from './monitored-database.ts';
import { DatabaseUnusableError } from './unusable.ts';

/** Milliseconds after which an unresponsive database counts as unreachable. */
const patience = 2000;

/** Whether requests can be served now. */
export interface Readiness {
  /**
   * @throws UnavailableError when the database cannot be read or lacks a table, its write lock is not available, or it cannot
   *   store anything.
   */
  check(): Promise<void>;
}

/** Concurrent calls share one query. */
export function createReadiness(db: MonitoredDatabase): Readiness {
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    await readEachTable(db);
    await db.tryToWrite();
  };
  return {
    async check() {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      const late = new AbortController();
      const refused = sleep(patience, undefined, { signal: late.signal }).then(() => {
        throw db.outage ?? new UnavailableError('The database does not answer in time.');
      });
      try {
        await Promise.race([asking, refused]);
      } finally {
        late.abort();
        refused.catch(() => {});
      }
    },
  };
}

/** Statements about other tables succeed where one is missing, such as one that somebody has dropped. */
async function readEachTable(db: MonitoredDatabase): Promise<void> {
  try {
    await db.read((session) => session.select(allTablesSql));
  } catch (error) {
    if (!db.dialect.isMissingTable(error)) throw error;
    const own = driverError(error);
    const detail = own instanceof Error ? ` (${own.message})` : '';
    const cause = new DatabaseUnusableError(
      `A table of the LRS is missing${detail}: restore the database from a backup.`,
      { cause: error },
    );
    throw new UnavailableError('A table of the database is missing; the log says which.', { cause });
  }
}
