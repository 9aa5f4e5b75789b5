import { InvalidError } from './errors.ts';
import { likelyMeant } from './nearest.ts';

/** Name → value. @throws InvalidError for a name that is not among those known here or occurs twice. */
export function singleParameters(query: URLSearchParams, known: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of query) {
    if (!known.includes(name)) throw unknownParameter(name, known);
    if (Object.hasOwn(values, name)) throw brokenParameter(name, 'must not occur twice');
    values[name] = value;
  }
  return values;
}

const longestEcho = 100;

function unknownParameter(name: string, known: readonly string[]): InvalidError {
  const shown = name.slice(0, longestEcho);
  return brokenParameter(shown, `is not known: ${knownInstead(name, known)}`);
}

function knownInstead(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'this request has no parameters';
  const meant = likelyMeant(name, known);
  const names = meant === undefined ? `known are ${known.join(', ')}` : `the nearest known one is ${meant}`;
  return `${names}; names are case-sensitive`;
}

const section = 'xAPI 1.0.3 Communication 3.2';

function brokenParameter(path: string, message: string): InvalidError {
  return new InvalidError(`The parameter ${path} ${message} (${section}).`, {
    details: [{ path, message, section }],
  });
}
