import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../errors.ts';
import type { MonitoredDatabase } from './monitored-database.ts';

/** Milliseconds after which an unresponsive database counts as unreachable. */
const patience = 2000;

/** Whether requests can be served now. */
export interface Readiness {
  /**
   * @throws UnavailableError when the database cannot be read, its write lock is not available, or it cannot store
   *   anything.
   */
  check(): Promise<void>;
}

/** Concurrent calls share one query. */
export function createReadiness(db: MonitoredDatabase): Readiness {
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    await db.read((session) => session.select('SELECT 1 AS one'));
    await db.tryToWrite();
  };
  return {
    async check() {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      const late = new AbortController();
      const refused = sleep(patience, undefined, { signal: late.signal }).then(() => {
        throw new UnavailableError('The database does not answer in time.');
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
