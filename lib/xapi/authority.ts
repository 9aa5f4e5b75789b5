import { parseJson } from '../json/json.ts';
import { checkAuthority } from './statement/validate/actor.ts';
import { Inspection } from './statement/validate/inspection.ts';
import type { Actor } from './types.ts';

/**
 * Reads the JSON of an authority: an Agent, or an Anonymous Group of application and user (xAPI 1.0.3 Data 2.4.9).
 * @throws InvalidError whose details have paths such as `authority.member`.
 */
export function parseAuthority(text: string): Actor {
  const { value } = parseJson(Buffer.from(text));
  const inspection = new Inspection('authority', '1.0.3');
  if (checkAuthority(value, inspection)) return value;
  throw inspection.error();
}
