import { identifiersOf } from '../agent.ts';
import type { Actor } from '../types.ts';
import { parseStoredValues } from './stored-statement.ts';

/** Whether the authority of a stored statement has every identifier of `authority`; true if none is asked for. */
export function hasAuthority(text: string, authority: Actor | undefined): boolean {
  if (authority === undefined) return true;
  const actual = parseStoredValues(text).authority;
  if (actual === undefined) return false;
  const actualIdentifiers = identifiersOf(actual);
  return identifiersOf(authority).every((identifier) => actualIdentifiers.includes(identifier));
}
