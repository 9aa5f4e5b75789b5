import type { Database } from '../db/types.ts';
import { selectStore } from './registry.ts';
import type { StorePlaces } from './service-options.ts';
import type { Store } from './types.ts';

/** Whether the database of a store is there although no store in the registry has its name; also true where nobody can tell. */
export async function isLeftOver(db: Database, places: StorePlaces, store: Store): Promise<boolean> {
  try {
    const holder = await db.read((session) => selectStore(session, store.name));
    return holder === undefined && (await places.exists(store));
  } catch {
    return true;
  }
}
