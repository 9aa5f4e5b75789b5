/** What the screen reads of a token (RFC 7519); the server alone judges it. Times in seconds since the epoch. */
export interface TokenClaims {
  /** When the token ends. */
  readonly exp?: number;
  /** Until when it can be renewed. */
  readonly ref?: number;
  readonly iat?: number;
  /** Only the tokens of an OpenID provider name their issuer. */
  readonly iss?: string;
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
