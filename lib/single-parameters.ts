import { InvalidError } from './errors.ts';
import { likelyMeant } from './nearest.ts';

/** Name → value of a request to `/xapi`. @throws InvalidError for a name that is not among those known here or occurs twice. */
export function singleParameters(query: URLSearchParams, known: readonly string[]): Record<string, string> {
  return valuesOf(query, known, 'xAPI 1.0.3 Communication 3.2');
}

/** The same of a request to `/admin`, of which the xAPI says nothing. */
export function adminParameters(query: URLSearchParams, known: readonly string[]): Record<string, string> {
  return valuesOf(query, known);
}

function valuesOf(
  query: URLSearchParams,
  known: readonly string[],
  section?: string,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of query) {
    if (!known.includes(name)) {
      const shown = name.slice(0, longestEcho);
      throw brokenParameter(shown, `is not known: ${knownInstead(name, known)}`, section);
    }
    if (Object.hasOwn(values, name)) throw brokenParameter(name, 'must not occur twice', section);
    values[name] = value;
  }
  return values;
}

const longestEcho = 100;

function knownInstead(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'this request has no parameters';
  const meant = likelyMeant(name, known);
  const names = meant === undefined ? `known are ${known.join(', ')}` : `the nearest known one is ${meant}`;
  return `${names}; names are case-sensitive`;
}

function brokenParameter(path: string, message: string, section: string | undefined): InvalidError {
  const source = section === undefined ? '' : ` (${section})`;
  return new InvalidError(`The parameter ${path} ${message}${source}.`, {
    details: [{ path, message, ...(section !== undefined && { section }) }],
  });
}
