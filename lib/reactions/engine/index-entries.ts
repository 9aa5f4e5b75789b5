import type { PreparedBatch } from '../../statements/within.ts';
import { searchTerms } from '../../xapi/search-terms.ts';
import type { Statement } from '../../xapi/types.ts';
import type { Match } from '../match/participant.ts';
import { valueAt } from '../value.ts';

/** So many are assumed of a statement that is not at hand: half of what clients may write at once by default. */
const ofUnknown = 7500;

/**
 * How many entries of the search index change when the statements of a match are stored, as estimated: their own, and those of the
 * statements that they refer to, which are inherited, or removed where these are voided.
 */
export function indexEntriesOf({ statements }: PreparedBatch, match: Match): number {
  return statements.reduce((sum, { keys, target }) => {
    const own = keys.inheritable.length + keys.ownOnly.length;
    return sum + own + (target === undefined ? 0 : entriesOfTarget(target, match));
  }, 0);
}

function entriesOfTarget(target: string, match: Match): number {
  for (const { id, value } of match.values()) {
    if (id !== target) continue;
    const inherited = valueAt(value, ['object', 'objectType']) === 'StatementRef' ? ofUnknown : 0;
    // It is stored, so it is valid.
    return searchTerms(value as unknown as Statement).length + inherited;
  }
  return ofUnknown;
}
