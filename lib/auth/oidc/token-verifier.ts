import { hash } from 'node:crypto';
import type { JWTPayload, JWTVerifyResult } from 'jose';
import { UnauthenticatedError, UnavailableError } from '../../errors.ts';
import { ExpiringCache } from '../../expiring-cache.ts';
import type { OidcProvider } from './provider.ts';
import type { Jose } from './types.ts';

export interface TokenRules {
  /** null: tokens for any audience count. */
  readonly audience: string | null;
  /** Tolerance for clocks that differ, in seconds. */
  readonly leeway: number;
}

/** Signatures whose verification needs no secret: nothing that is public can be mistaken for a key that signs. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** What the header of an access token may call itself; logout tokens and the like call themselves something else. */
const types = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

const memory = { characters: 20_000_000, milliseconds: 150_000 };

/** Verifies tokens of a provider, and remembers for some minutes those that were good, at most until they expire. */
export class TokenVerifier<Value> {
  readonly #jose: Jose;
  readonly #provider: OidcProvider;
  readonly #rules: TokenRules;
  readonly #verified = new ExpiringCache<{ readonly value: Value; readonly until: number }>(memory);

  constructor(jose: Jose, provider: OidcProvider, rules: TokenRules) {
    this.#jose = jose;
    this.#provider = provider;
    this.#rules = rules;
  }

  /**
   * @param read makes of the claims of a good token what is remembered.
   * @throws UnauthenticatedError when the token does not count; UnavailableError when that can't be told.
   */
  async verify(token: string, read: (claims: JWTPayload) => Value): Promise<Value> {
    const key = hash('sha256', token, 'base64');
    const known = this.#verified.get(key);
    if (known !== undefined && Date.now() < known.until) return known.value;
    const { payload } = await this.#checked(token);
    const value = read(payload);
    this.#verified.set(key, { value, until: (payload.exp ?? 0) * 1000 }, token.length);
    return value;
  }

  async #checked(token: string): Promise<JWTVerifyResult> {
    const { audience, leeway } = this.#rules;
    const issuer = await this.#provider.issuers();
    try {
      const result = await this.#jose.jwtVerify(token, this.#provider.key, {
        algorithms,
        issuer,
        ...(audience !== null && { audience }),
        clockTolerance: leeway,
        requiredClaims: ['exp'],
      });
      const { typ } = result.protectedHeader;
      if (types.includes(typ?.toLowerCase())) return result;
      throw new UnauthenticatedError(`The token is no access token, but of type ${typ}.`);
    } catch (cause) {
      if (cause instanceof UnavailableError || cause instanceof UnauthenticatedError) throw cause;
      throw new UnauthenticatedError(`The token is not valid: ${this.#reason(cause)}.`, { cause });
    }
  }

  #reason(cause: unknown): string {
    const { JOSEError, JWTExpired } = this.#jose.errors;
    if (cause instanceof JWTExpired) return 'it has expired';
    return cause instanceof JOSEError ? cause.message : 'its key cannot be used';
  }
}
