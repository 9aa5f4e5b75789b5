import type { Json } from '../../json/types.ts';
import { type KeyFilter, keyedTerm } from '../../statements/search-keys.ts';
import { identifierOf } from '../../xapi/agent.ts';
import type { SearchTermKind } from '../../xapi/search-terms.ts';
import type { Agent } from '../../xapi/types.ts';
import { isUuid } from '../../xapi/uuid.ts';
import type { Operand, ReactionPath } from '../types.ts';
import type { Constraints } from './constraints.ts';

/**
 * The most characters of an identifier by which statements are found; a longer one finds none. Each comparison with a value of
 * megabytes would copy and hash it.
 */
export const longestIdentifier = 8192;

/** How the statements that may match a condition are found; it finds others too. */
export type Lookup =
  /** The statement with an id, in lower case. */
  | { readonly by: 'id'; readonly id: string }
  /** Those whose Object refers to the statement with an id, in lower case. */
  | { readonly by: 'target'; readonly id: string }
  /** Those that pass every filter, the one first that usually finds the fewest. */
  | { readonly by: 'filters'; readonly filters: readonly KeyFilter[] }
  /** Nothing narrows them down. */
  | { readonly by: 'all' }
  /** There are none. */
  | { readonly by: 'none' };

/** A value that is known to stand at a path. */
export interface KnownValue {
  readonly path: ReactionPath;
  readonly value: Json | undefined;
}

/** The value of an operand; `open` where it belongs to a statement that is not chosen yet. */
export type Resolve = (operand: Operand) => { readonly value: Json | undefined } | 'open';

/** @param shared what all statements of a match have in common. */
export function lookupOf(constraints: Constraints, shared: readonly KnownValue[], resolve: Resolve): Lookup {
  const known = [...shared, ...knownValues(constraints, resolve)];
  const exact = exactLookup(known);
  if (exact !== undefined) return exact;
  const filters = filtersOf(constraints, known, resolve);
  if (filters.some((filter) => filter.length === 0)) return { by: 'none' };
  return filters.length === 0 ? { by: 'all' } : { by: 'filters', filters: inOrder(filters) };
}

/** The less, the fewer statements it usually finds. */
export function costOf(lookup: Lookup): number {
  const ways = ['none', 'id', 'target', 'filters', 'all'];
  const way = ways.indexOf(lookup.by) * 100;
  return lookup.by === 'filters' ? way - lookup.filters.length : way;
}

/** Tells lookups apart that find different statements. */
export function lookupKey(lookup: Lookup): string {
  if (lookup.by !== 'filters') return 'id' in lookup ? `${lookup.by} ${lookup.id}` : lookup.by;
  return lookup.filters.map((filter) => filter.map(({ key }) => key).join('|')).join(' ');
}

function knownValues({ equalities }: Constraints, resolve: Resolve): KnownValue[] {
  return equalities.flatMap(({ path, operand }) => {
    const found = resolve(operand);
    return found === 'open' ? [] : { path, value: found.value };
  });
}

function exactLookup(known: readonly KnownValue[]): Lookup | undefined {
  // What equals no value at all is never true.
  if (known.some(({ value }) => value === undefined || isNowhere(value))) return { by: 'none' };
  for (const { path, value } of known) {
    if (path.length === 1 && path[0] === 'id') {
      return typeof value === 'string' && isUuid(value)
        ? { by: 'id', id: value.toLowerCase() }
        : { by: 'none' };
    }
  }
  for (const { path, value } of known) {
    // No IRI is a UUID, so only a StatementRef has such an id.
    if (path.length === 2 && path[0] === 'object' && path[1] === 'id' && isUuidText(value))
      return { by: 'target', id: value.toLowerCase() };
  }
  return undefined;
}

/** No stored text holds U+0000. It is looked for only where that is cheap. */
function isNowhere(value: Json): boolean {
  return typeof value === 'string' && value.length <= longestIdentifier && value.includes('\0');
}

function isUuidText(value: Json | undefined): value is string {
  return typeof value === 'string' && isUuid(value);
}

function filtersOf(
  { alternatives }: Constraints,
  known: readonly KnownValue[],
  resolve: Resolve,
): KeyFilter[] {
  const either = alternatives.flatMap((group) => {
    const filter = eitherOf(group, resolve);
    return filter === undefined ? [] : [filter];
  });
  return [...agentFilters(known), ...known.flatMap(termFilters), ...either];
}

/** The most keys of one filter. */
const mostTerms = 64;

/** One filter for several constraints of which one must hold: a key of each. */
function eitherOf(group: readonly Constraints[], resolve: Resolve): KeyFilter | undefined {
  const filters = group.map((constraints) => {
    const known = knownValues(constraints, resolve);
    if (known.some(({ value }) => value === undefined)) return [];
    return inOrder(filtersOf(constraints, known, resolve))[0];
  });
  const terms = filters.flatMap((filter) => filter ?? []);
  const isComplete = filters.every((filter) => filter !== undefined);
  return isComplete && terms.length <= mostTerms ? terms : undefined;
}

/** Kinds of keys, those first that usually find the fewest statements. */
const order: readonly SearchTermKind[] = [
  'registration',
  'related-agent',
  'agent',
  'related-activity',
  'activity',
  'verb',
];

function inOrder(filters: readonly KeyFilter[]): KeyFilter[] {
  const rank = (filter: KeyFilter) => Math.max(...filter.map(({ kind }) => order.indexOf(kind)));
  return filters.toSorted((one, other) => rank(one) - rank(other));
}

/** A filter that no statement passes. */
const nothing: KeyFilter = [];

/** One filter, by the keys of a value; none for a text that is not well-formed. */
function filtersBy(value: string, ...kinds: SearchTermKind[]): KeyFilter[] {
  if (value.length > longestIdentifier) return [nothing];
  return value.isWellFormed() ? [kinds.map((kind) => keyedTerm(kind, value))] : [];
}

function termFilters({ path, value }: KnownValue): KeyFilter[] {
  if (typeof value !== 'string') return [];
  const [first, second, third] = path;
  if (path.length === 2) {
    if (first === 'verb' && second === 'id') return filtersBy(value, 'verb');
    if (first === 'object' && second === 'id') return filtersBy(value, 'activity');
    return first === 'context' && second === 'registration' ? registrationFilters(value) : [];
  }
  if (first === 'object' && second === 'object' && third === 'id' && path.length === 3)
    return isUuid(value) ? [] : filtersBy(value, 'activity', 'related-activity');
  return isActivityOfContext(path) ? filtersBy(value, 'activity', 'related-activity') : [];
}

function registrationFilters(value: string): KeyFilter[] {
  return isUuid(value) ? filtersBy(value.toLowerCase(), 'registration') : [nothing];
}

function isActivityOfContext(path: ReactionPath): boolean {
  const context = path[0] === 'object' ? path.slice(1) : path;
  const [first, second, , , fifth] = context;
  return first === 'context' && second === 'contextActivities' && fifth === 'id' && context.length === 5;
}

/** One filter for each Agent or Group of which enough is known to identify it. */
function agentFilters(known: readonly KnownValue[]): KeyFilter[] {
  const agents = new Map<string, { readonly place: ReactionPath; readonly parts: Map<string, string> }>();
  for (const { path, value } of known) {
    const name = path.at(-1);
    if (typeof value !== 'string' || typeof name !== 'string') continue;
    const ofAccount = path.at(-2) === 'account' && (name === 'name' || name === 'homePage');
    if (!ofAccount && !identifiers.has(name)) continue;
    const place = path.slice(0, ofAccount ? -2 : -1);
    const key = JSON.stringify(place);
    const agent = agents.get(key) ?? { place, parts: new Map() };
    agent.parts.set(name, value);
    agents.set(key, agent);
  }
  return [...agents.values()].flatMap(({ place, parts }) => {
    const kinds = kindsAt(place);
    if (kinds === undefined) return [];
    if ([...parts.values()].some((part) => part.length > longestIdentifier)) return [nothing];
    const identifier = identifierIn(parts);
    return identifier === undefined ? [] : filtersBy(identifier, ...kinds);
  });
}

const identifiers: ReadonlySet<string> = new Set(['mbox', 'mbox_sha1sum', 'openid']);

function identifierIn(parts: ReadonlyMap<string, string>): string | undefined {
  for (const name of identifiers) {
    const value = parts.get(name);
    if (value !== undefined) return identifierOf({ [name]: value } as Agent);
  }
  const [homePage, name] = [parts.get('homePage'), parts.get('name')];
  return homePage === undefined || name === undefined
    ? undefined
    : identifierOf({ account: { homePage, name } });
}

/** By which keys an Agent at a place is found; undefined where none stands. */
function kindsAt(place: ReactionPath): SearchTermKind[] | undefined {
  const shown = place.map((step) => (typeof step === 'number' ? '#' : step)).join('/');
  const actor = shown.replace(/\/member\/#$/, '');
  if (actor === 'actor' || actor === 'object') return ['agent'];
  return related.test(actor) ? ['agent', 'related-agent'] : undefined;
}

const related =
  /^(?:authority|object\/actor|object\/object|(?:object\/)?context\/(?:instructor|team|contextAgents\/#\/agent|contextGroups\/#\/group))$/;
