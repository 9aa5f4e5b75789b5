import { InvalidError } from '../errors.ts';
import { identifierOf, identifiersOf } from '../xapi/agent.ts';
import type { Actor } from '../xapi/types.ts';
import type { KeyFilter } from './page-query.ts';
import { searchKey } from './search-key.ts';
import type { StatementQuery } from './types.ts';

/**
 * The keys that a query's filters ask for (xAPI 1.0.3 Communication 2.1.3). A related kind of key lies only where the
 * plain one does not, so the related filters ask for both.
 * @throws InvalidError for an agent that nothing identifies.
 */
export function filtersOf(query: StatementQuery): KeyFilter[] {
  const { verb, activity, registration } = query;
  const filters: KeyFilter[] = [];
  if (query.agent) {
    const agent = identified(query.agent);
    filters.push([
      searchKey('agent', agent),
      ...(query.relatedAgents ? [searchKey('related-agent', agent)] : []),
    ]);
  }
  if (verb !== undefined) filters.push([searchKey('verb', verb)]);
  if (activity !== undefined) {
    filters.push([
      searchKey('activity', activity),
      ...(query.relatedActivities ? [searchKey('related-activity', activity)] : []),
    ]);
  }
  if (registration !== undefined) filters.push([searchKey('registration', registration.toLowerCase())]);
  if (query.authority) {
    for (const identifier of identifiersOf(query.authority))
      filters.push([searchKey('authority', identifier)]);
  }
  return filters;
}

function identified(actor: Actor): string {
  const identifier = identifierOf(actor);
  if (identifier !== undefined) return identifier;
  throw new InvalidError(
    'The agent must be an Agent or an identified Group (xAPI 1.0.3 Communication 2.1.3).',
  );
}
