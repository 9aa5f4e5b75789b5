import type { Database } from '../../db/types.ts';
import {
  type CandidatePage,
  candidatesBefore,
  candidatesReferringTo,
  candidateWithId,
} from '../../statements/candidates.ts';
import type { CandidateSource } from '../match/match.ts';

/** Candidates from the database, by its index. */
export function candidateSource(db: Pick<Database, 'dialect' | 'read'>): CandidateSource {
  return {
    async read(lookup, range): Promise<CandidatePage> {
      switch (lookup.by) {
        case 'none':
          return { statements: [], tooLarge: false };
        case 'id':
          return candidateWithId(db, lookup.id, range);
        case 'target':
          return candidatesReferringTo(db, lookup.id, range);
        case 'filters':
          return candidatesBefore(db, lookup.filters, range);
        case 'all':
          return candidatesBefore(db, [], range);
      }
    },
  };
}
