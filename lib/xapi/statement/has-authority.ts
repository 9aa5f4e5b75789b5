import { identifiersOf } from '../agent.ts';
import type { Actor } from '../types.ts';
import { parseStored } from './stored-statement.ts';

/** Whether the authority of a stored statement has every identifier of `authority`; true if none is asked for. */
export function hasAuthority(text: string, authority: Actor | undefined): boolean {
  if (authority === undefined) return true;
  const actual = parseStored(text).statement.authority;
  if (actual === undefined) return false;
  const actualIdentifiers = identifiersOf(actual);
  return identifiersOf(authority).every((identifier) => actualIdentifiers.includes(identifier));
}
