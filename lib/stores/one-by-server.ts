import type { ReadSession } from '../db/types.ts';
import type { Store } from './types.ts';

/** One store that can be read for each database server that has any. */
export async function selectOneByServer(
  session: ReadSession,
): Promise<readonly Pick<Store, 'name' | 'server'>[]> {
  return session.select<Pick<Store, 'name' | 'server'>>(
    "SELECT server, MIN(name) AS name FROM store WHERE state IN ('open', 'read-only') GROUP BY server",
  );
}
