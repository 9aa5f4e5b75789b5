import { type Scope, scopes as xapiScopes } from '../../xapi/scopes.ts';
import type { Claims } from './types.ts';

/** What the scopes of a token permit here. */
export interface Grant {
  readonly scopes: readonly Scope[];
  readonly isAdmin: boolean;
}

export const adminScope = 'admin';

/**
 * The xAPI scopes and the one of administrators among those of a token; each is expected with the prefix before it. They
 * stand in `scope` as one text (RFC 9068 2.2.3); some providers have a list, or call the claim `scp`.
 */
export function grantOf({ scope, scp }: Claims, prefix: string): Grant {
  const granted = new Set(namesIn(scope ?? scp));
  const has = (name: string): boolean => granted.has(prefix + name);
  return { scopes: xapiScopes.filter(has), isAdmin: has(adminScope) };
}

function namesIn(claim: unknown): unknown[] {
  if (typeof claim === 'string') return claim.split(/\s+/);
  return Array.isArray(claim) ? claim : [];
}
