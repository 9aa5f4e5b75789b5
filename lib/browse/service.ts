import { foldAllChanges } from '../counts/tally-store.ts';
import type { Database } from '../db/types.ts';
import { readActivities } from './activity-reader.ts';
import { readAgents } from './agent-reader.ts';
import { readDocuments } from './document-reader.ts';
import type { BrowseService } from './types.ts';

/** A search may look at each row of a table, and other reads of a SQLite file wait meanwhile. */
const oneAtATime = { large: true };

/** What there is in a database. */
export function createBrowseService(db: Database): BrowseService {
  return {
    async agents(query) {
      await foldAllChanges(db);
      return db.read((session) => readAgents(session, query), oneAtATime);
    },
    async activities(query) {
      await foldAllChanges(db);
      return db.read((session) => readActivities(session, query), oneAtATime);
    },
    documents: (query) => db.read((session) => readDocuments(session, query), oneAtATime),
  };
}
