import { InvalidError } from '../../errors.ts';
import { identifierOf, identifiersOf } from '../../xapi/agent.ts';
import type { Actor } from '../../xapi/types.ts';
import type { StatementQuery } from '../types.ts';
import type { KeyFilter } from './plan.ts';
import { keyedTerm } from './search-key.ts';

/**
 * The index filters of a query, those first that usually find the fewest statements. An entry of a related kind exists only
 * where there is none of the plain kind, so the related filters use both kinds.
 * @throws InvalidError for an agent without an identifier.
 */
export function filtersOf(query: StatementQuery): KeyFilter[] {
  const { verb, activity, registration } = query;
  const filters: KeyFilter[] = [];
  if (registration !== undefined) filters.push([keyedTerm('registration', registration.toLowerCase())]);
  if (query.agent) {
    const agent = identified(query.agent);
    filters.push([
      keyedTerm('agent', agent),
      ...(query.relatedAgents ? [keyedTerm('related-agent', agent)] : []),
    ]);
  }
  if (activity !== undefined) {
    filters.push([
      keyedTerm('activity', activity),
      ...(query.relatedActivities ? [keyedTerm('related-activity', activity)] : []),
    ]);
  }
  if (verb !== undefined) filters.push([keyedTerm('verb', verb)]);
  if (query.authority) {
    for (const identifier of identifiersOf(query.authority))
      filters.push([keyedTerm('authority', identifier)]);
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
