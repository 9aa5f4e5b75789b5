import type { Database } from '../db/types.ts';
import { foldChanges, hasChanges } from '../status/tally-store.ts';
import { readActivities } from './activity-reader.ts';
import { readAgents } from './agent-reader.ts';
import { readDocuments } from './document-reader.ts';
import type { Directory } from './types.ts';

/** What there is in a database. */
export function createDirectory(db: Database): Directory {
  return {
    async agents(query) {
      if (await db.read(hasChanges)) while (await db.write(foldChanges));
      return db.read((session) => readAgents(session, query));
    },
    activities: (query) => db.read((session) => readActivities(session, query)),
    documents: (query) => db.read((session) => readDocuments(session, query)),
  };
}
