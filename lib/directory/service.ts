import type { Database } from '../db/types.ts';
import { foldAllChanges } from '../status/tally-store.ts';
import { readActivities } from './activity-reader.ts';
import { readAgents } from './agent-reader.ts';
import { readDocuments } from './document-reader.ts';
import type { Directory } from './types.ts';

/** What there is in a database. */
export function createDirectory(db: Database): Directory {
  return {
    async agents(query) {
      await foldAllChanges(db);
      return db.read((session) => readAgents(session, query));
    },
    async activities(query) {
      await foldAllChanges(db);
      return db.read((session) => readActivities(session, query));
    },
    documents: (query) => db.read((session) => readDocuments(session, query)),
  };
}
