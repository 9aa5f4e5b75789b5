import { ApiError } from '../../api/errors.ts';

/** Parameters of `GET /xapi/statements` that choose statements, by name (xAPI 1.0.3 Communication 2.1.3). */
export type Filters = Readonly<Record<string, string>>;

/** What the forms of the filters have in common. */
export interface FilterFormProps {
  readonly filters: Filters;
  /** What the server has to say about each parameter. */
  readonly mistakes: Filters;
  /** Whether what is found comes in pages, whose size can be chosen. */
  readonly hasPages?: boolean;
  readonly onSearch: (filters: Filters) => void;
}

/** A page has this many statements when nothing else is asked for. */
export const usualLimit = '50';

/** Whether one statement is asked for by its id. */
export function selectsOne(filters: Filters): boolean {
  return 'statementId' in filters || 'voidedStatementId' in filters;
}

/** Parameters that say how statements are shown, not which ones. */
const ofPresentation = new Set(['limit', 'format', 'ascending', 'related_agents', 'related_activities']);

/** Whether the filters leave statements out. */
export function chooses(filters: Filters): boolean {
  return Object.keys(filters).some((name) => !ofPresentation.has(name));
}

/** The parameters of the request: those that are set, and the size of the page. */
export function requestOf(filters: Filters): Filters {
  return selectsOne(filters) ? filters : { limit: usualLimit, ...filters };
}

/** Without those that are empty. */
export function setFilters(filters: Filters): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}

/** The filters as JSON for people: an Agent is an object there. */
export function jsonOfFilters(filters: Filters): string {
  const entries = Object.entries(filters).map(([name, value]) => [name, jsonValue(value)]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

function jsonValue(text: string): unknown {
  if (!/^(\{.*\}|true|false|\d{1,9})$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The other way round. @throws SyntaxError for a text that is not the JSON of an object. */
export function filtersOfJson(text: string): Filters {
  const value: unknown = JSON.parse(text.trim() || '{}');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SyntaxError('JSON object');
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'string' ? each : JSON.stringify(each),
    ]),
  );
}

/** What the server has to say about each parameter. */
export function mistakesIn(error: Error | null): Filters {
  const mistakes: Record<string, string> = {};
  for (const { path, message } of error instanceof ApiError ? error.details : []) {
    const name = path.split(/[.[]/)[0] ?? path;
    const text = path === name ? message : `${path}: ${message}`;
    mistakes[name] = mistakes[name] === undefined ? text : `${mistakes[name]}; ${text}`;
  }
  return mistakes;
}
