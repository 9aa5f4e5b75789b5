import type { SharedTrees } from '../json/shared-trees.ts';
import { TextSet } from '../text-map.ts';
import { activitiesOf } from './activity.ts';
import { identifiersOf } from './agent.ts';
import {
  type Actor,
  type Context,
  contextActivityRoles,
  type Statement,
  type StatementObject,
  type SubStatement,
} from './types.ts';

/** What statements can be found by. A related kind holds only the values that the plain kind of the same name does not. */
export type SearchTermKind =
  | 'agent'
  | 'related-agent'
  | 'verb'
  | 'activity'
  | 'related-activity'
  | 'registration'
  | 'authority';

export interface SearchTerm {
  readonly kind: SearchTermKind;
  readonly value: string;
}

/**
 * Every value that a filter finds this statement by, each once. `agent` with `related_agents` means the kinds `agent` and
 * `related-agent` together; likewise `activity`. What a statement inherits from the target of its StatementRef is not among them.
 * @param authority the one that it was stored by, whatever it says itself.
 * @param trees keep what is computed from shared parts.
 */
export function searchTerms(
  statement: Statement,
  authority = statement.authority,
  trees?: SharedTrees,
): SearchTerm[] {
  const terms = new TermCollector(trees);
  addPlainTerms(statement, terms);
  addContext(statement.context, terms);
  if (authority !== undefined) addAuthority(authority, terms);
  if (statement.object.objectType === 'SubStatement') addSubStatement(statement.object, terms);
  return terms.list;
}

/** A related kind leaves out the values of the plain kind. */
const plainKinds: Partial<Record<SearchTermKind, SearchTermKind>> = {
  'related-agent': 'agent',
  'related-activity': 'activity',
};

/**
 * Keeps each term once: the index refuses a second one. Agents and activities are seen in more than one role; plain roles come
 * first, so the first mention decides the kind.
 */
class TermCollector {
  readonly trees: SharedTrees | undefined;
  readonly list: SearchTerm[] = [];
  /** The values of each plain kind: most have one only, for which a text is enough. */
  readonly #seen: Partial<Record<SearchTermKind, string | TextSet>> = {};

  constructor(trees: SharedTrees | undefined) {
    this.trees = trees;
  }

  add(kind: SearchTermKind, value: string): void {
    if (this.#isNew(plainKinds[kind] ?? kind, value)) this.list.push({ kind, value });
  }

  #isNew(plain: SearchTermKind, value: string): boolean {
    const seen = this.#seen[plain];
    if (typeof seen === 'object') return seen.add(value);
    if (seen === value) return false;
    this.#seen[plain] = seen === undefined ? value : new TextSet([seen, value]);
    return true;
  }
}

function addPlainTerms(statement: Statement, terms: TermCollector): void {
  terms.add('verb', statement.verb.id);
  addActor(statement.actor, 'agent', terms);
  addObject(statement.object, '', terms);
  const registration = statement.context?.registration;
  if (registration !== undefined) terms.add('registration', registration.toLowerCase());
}

function addSubStatement(statement: SubStatement, terms: TermCollector): void {
  addActor(statement.actor, 'related-agent', terms);
  addObject(statement.object, 'related-', terms);
  addContext(statement.context, terms);
}

function addObject(object: StatementObject, prefix: '' | 'related-', terms: TermCollector): void {
  if (object.objectType === 'Agent' || object.objectType === 'Group') {
    addActor(object, `${prefix}agent`, terms);
  } else if ('id' in object && object.objectType !== 'StatementRef') {
    terms.add(`${prefix}activity`, object.id);
  }
}

function addContext(context: Context | undefined, terms: TermCollector): void {
  if (context === undefined) return;
  if (context.instructor !== undefined) addActor(context.instructor, 'related-agent', terms);
  if (context.team !== undefined) addActor(context.team, 'related-agent', terms);
  for (const { agent } of context.contextAgents ?? []) addActor(agent, 'related-agent', terms);
  for (const { group } of context.contextGroups ?? []) addActor(group, 'related-agent', terms);
  for (const role of contextActivityRoles) {
    for (const activity of activitiesOf(context.contextActivities?.[role])) {
      terms.add('related-activity', activity.id);
    }
  }
}

function addAuthority(authority: Actor, terms: TermCollector): void {
  for (const identifier of identifiersOf(authority, terms.trees)) terms.add('authority', identifier);
  addActor(authority, 'related-agent', terms);
}

function addActor(actor: Actor, kind: 'agent' | 'related-agent', terms: TermCollector): void {
  for (const identifier of identifiersOf(actor, terms.trees)) terms.add(kind, identifier);
}
