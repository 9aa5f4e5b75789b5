import type { Database } from '../db/types.ts';
import { selectDefinitions } from './store.ts';
import type { ActivityService } from './types.ts';

export function createActivityService(db: Database): ActivityService {
  return {
    async activity(id) {
      const definition = (await db.read((session) => selectDefinitions(session, [id]))).get(id);
      const known = definition === undefined ? '' : `,"definition":${definition}`;
      return `{"objectType":"Activity","id":${JSON.stringify(id)}${known}}`;
    },
  };
}
