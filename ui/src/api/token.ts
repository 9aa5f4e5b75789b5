/** What the screen reads of a token (RFC 7519); the server alone judges it. Times in seconds since the epoch. */
export interface TokenClaims {
  /** When the token ends. */
  readonly exp?: number;
  /** Until when it can be renewed. */
  readonly ref?: number;
  readonly iat?: number;
  /** Only the tokens of an OpenID provider name their issuer. */
  readonly iss?: string;
  /** The account, in the tokens of this server. */
  readonly acc?: string;
  /** The person, in those of a provider. */
  readonly sub?: string;
}

export function claimsOf(token: string): TokenClaims {
  try {
    const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    const claims: unknown = JSON.parse(atob(payload));
    return typeof claims === 'object' && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

/** Tells whose a token is, however often it is renewed. */
export function holderOf(token: string): string {
  const { iss, acc, sub } = claimsOf(token);
  return JSON.stringify([iss, acc, sub]);
}
