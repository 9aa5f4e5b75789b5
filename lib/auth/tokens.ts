import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import type { JwtPayload } from 'jsonwebtoken';
import { isInForce } from '../accounts/still-there.ts';
import type { Login, LoginToken, TokenHolder, TokenService } from '../accounts/types.ts';
import { derivedKey } from '../derived-key.ts';
import { InvalidError, UnauthenticatedError } from '../errors.ts';

export interface TokenOptions {
  /** Signs the tokens; all instances must have the same. */
  readonly key: Buffer;
  /** Life of a token, tolerance for clocks that differ, and time for renewal after the login; all in seconds. */
  readonly jwtExpTime: number;
  readonly jwtExpLeeway: number;
  readonly jwtRefreshExpTime: number;
  readonly findAccount: (id: string) => Promise<TokenHolder | undefined>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** The key that signs tokens: the configured secret, else one that comes from the database's own. */
export function tokenKey(jwtCommonSecret: string | undefined, serverSecret: Buffer): Buffer {
  return jwtCommonSecret === undefined ? derivedKey(serverSecret, 'tokens') : Buffer.from(jwtCommonSecret);
}

/** The library is loaded with the first token: most functions see none. */
export const loadTokens = async () => (await import('jsonwebtoken')).default;

export const algorithm = 'HS256';
export const refusal = 'The token is not valid, has expired or was revoked.';

/**
 * Login tokens: JSON Web Tokens with lrsql's claims, a `jti`, so that no two of them are the same, and `gen`, the
 * generation of the account's tokens (docs/decisions/0019).
 */
export function createTokenService(options: TokenOptions): TokenService {
  return new SignedTokens(options);
}

class SignedTokens implements TokenService {
  readonly #options: TokenOptions;
  readonly #key: KeyObject;

  constructor(options: TokenOptions) {
    this.#options = options;
    this.#key = createSecretKey(options.key);
  }

  async issue({ id, tokenGeneration }: TokenHolder): Promise<string> {
    const ref = this.#seconds() + this.#options.jwtRefreshExpTime;
    return this.#sign(id, { generation: tokenGeneration, ref });
  }

  async verify(token: string): Promise<Login> {
    const claims = await verifiedClaims(token, this.#key, {
      clockTimestamp: this.#seconds(),
      clockTolerance: this.#options.jwtExpLeeway,
    });
    // A token for one download (claim `oti`) is no login, nor is one that names no account or never ends.
    const { acc, exp, oti } = claims;
    if (typeof acc !== 'string' || exp === undefined || oti !== undefined)
      throw new UnauthenticatedError(refusal);
    const holder = await this.#options.findAccount(acc);
    if (!holder || !isInForce(inToken(claims), holder)) throw new UnauthenticatedError(refusal);
    const { id, username } = holder;
    return { account: { id, username }, token: loginToken(claims, holder) };
  }

  async renew({ account, token }: Login): Promise<string> {
    if (token === undefined) {
      throw new InvalidError('Only a token that this LRS has issued can be renewed here.');
    }
    const { refreshUntil: ref, generation } = token;
    if (ref === undefined || this.#seconds() >= ref) {
      throw new UnauthenticatedError('The token can no longer be renewed: log in again.');
    }
    return this.#sign(account.id, { generation, ref });
  }

  async #sign(
    acc: string,
    { generation, ref }: { readonly generation: number; readonly ref: number },
  ): Promise<string> {
    const iat = this.#seconds();
    const exp = Math.min(iat + this.#options.jwtExpTime, ref);
    const jwt = await loadTokens();
    return jwt.sign({ acc, iat, exp, ref, jti: randomUUID(), gen: generation }, this.#key, { algorithm });
  }

  #seconds(): number {
    return Math.floor((this.#options.now ?? Date.now)() / 1000);
  }
}

/** A token that was signed elsewhere, without a generation, is of the first. */
const inToken = ({ gen = 0, jti }: JwtPayload) => ({ generation: gen, id: jti });

function loginToken({ jti, ref }: JwtPayload, { tokenGeneration }: TokenHolder): LoginToken {
  return {
    id: typeof jti === 'string' ? jti : undefined,
    refreshUntil: typeof ref === 'number' ? ref : undefined,
    generation: tokenGeneration,
  };
}

/** The claims of a token that is signed with the key and has not expired. @throws UnauthenticatedError */
export async function verifiedClaims(
  token: string,
  key: KeyObject,
  clock: { readonly clockTimestamp: number; readonly clockTolerance: number },
): Promise<JwtPayload> {
  const jwt = await loadTokens();
  let claims: JwtPayload | string;
  try {
    claims = jwt.verify(token, key, { algorithms: [algorithm], ...clock });
  } catch (cause) {
    throw new UnauthenticatedError(refusal, { cause });
  }
  if (typeof claims === 'string') throw new UnauthenticatedError(refusal);
  return claims;
}
