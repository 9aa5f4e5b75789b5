import { InvalidError } from '../errors.ts';
import { identifierOf, identifiersOf } from '../xapi/agent.ts';
import type { SearchTermKind } from '../xapi/search-terms.ts';
import type { Actor } from '../xapi/types.ts';
import type { FilterTerm, KeyFilter } from './page-query.ts';
import { searchKey } from './search-key.ts';
import type { StatementQuery } from './types.ts';

/**
 * What a query's filters ask the index for (xAPI 1.0.3 Communication 2.1.3), those first that usually find the fewest
 * statements. A related kind of key lies only where the plain one does not, so the related filters ask for both.
 * @throws InvalidError for an agent that nothing identifies.
 */
export function filtersOf(query: StatementQuery): KeyFilter[] {
  const { verb, activity, registration } = query;
  const filters: KeyFilter[] = [];
  if (registration !== undefined) filters.push([term('registration', registration.toLowerCase())]);
  if (query.agent) {
    const agent = identified(query.agent);
    filters.push([term('agent', agent), ...(query.relatedAgents ? [term('related-agent', agent)] : [])]);
  }
  if (activity !== undefined) {
    filters.push([
      term('activity', activity),
      ...(query.relatedActivities ? [term('related-activity', activity)] : []),
    ]);
  }
  if (verb !== undefined) filters.push([term('verb', verb)]);
  if (query.authority) {
    for (const identifier of identifiersOf(query.authority)) filters.push([term('authority', identifier)]);
  }
  return filters;
}

/** One of the values that statements are found by. */
export function term(kind: SearchTermKind, value: string): FilterTerm {
  return { kind, value, key: searchKey(kind, value) };
}

function identified(actor: Actor): string {
  const identifier = identifierOf(actor);
  if (identifier !== undefined) return identifier;
  throw new InvalidError(
    'The agent must be an Agent or an identified Group (xAPI 1.0.3 Communication 2.1.3).',
  );
}
