import { identifiersOf } from '../xapi/agent.ts';
import type { Actor } from '../xapi/types.ts';
import { parseStored } from './stored-statement.ts';

/** Whether the authority of a stored statement is the asked one, if one is asked for: all who belong to that have to be part of it. */
export function hasAuthority(text: string, authority: Actor | undefined): boolean {
  if (authority === undefined) return true;
  const actual = parseStored(text).statement.authority;
  if (actual === undefined) return false;
  const actualIdentifiers = identifiersOf(actual);
  return identifiersOf(authority).every((identifier) => actualIdentifiers.includes(identifier));
}
