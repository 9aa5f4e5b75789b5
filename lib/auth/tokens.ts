import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { AdminAccount, TokenService } from '../accounts/types.ts';
import { UnauthenticatedError } from '../errors.ts';
import { derivedKey } from './derived-key.ts';

export interface TokenOptions {
  /** Signs the tokens; all instances must have the same. */
  readonly key: Buffer;
  /** Life of a token, tolerance for clocks that differ, and time for renewal after the login; all in seconds. */
  readonly jwtExpTime: number;
  readonly jwtExpLeeway: number;
  readonly jwtRefreshExpTime: number;
  readonly findAccount: (id: string) => Promise<AdminAccount | undefined>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** The key that signs tokens: the configured secret, else one that comes from the database's own. */
export function tokenKey(jwtCommonSecret: string | undefined, serverSecret: Buffer): Buffer {
  return jwtCommonSecret === undefined ? derivedKey(serverSecret, 'tokens') : Buffer.from(jwtCommonSecret);
}

const algorithm = 'HS256';
const refusal = 'The token is not valid, or no longer.';

/** Login tokens: JSON Web Tokens with lrsql's claims and a `jti`, so that no two of them are the same. */
export function createTokenService(options: TokenOptions): TokenService {
  const { jwtExpTime, jwtRefreshExpTime, findAccount, now = Date.now } = options;
  const key = createSecretKey(options.key);
  const seconds = () => Math.floor(now() / 1000);
  return {
    async issue(accountId) {
      const iat = seconds();
      const claims = {
        acc: accountId,
        iat,
        exp: iat + jwtExpTime,
        ref: iat + jwtRefreshExpTime,
        jti: randomUUID(),
      };
      return jwt.sign(claims, key, { algorithm });
    },

    async verify(token) {
      const claims = verifiedClaims(token, key, {
        clockTimestamp: seconds(),
        clockTolerance: options.jwtExpLeeway,
      });
      // A token for one download (claim `oti`) is no login, nor is one that names no account or never ends.
      const { acc, exp, oti } = claims;
      if (typeof acc !== 'string' || exp === undefined || oti !== undefined)
        throw new UnauthenticatedError(refusal);
      const account = await findAccount(acc);
      if (!account) throw new UnauthenticatedError(refusal);
      return account;
    },
  };
}

function verifiedClaims(
  token: string,
  key: KeyObject,
  clock: { readonly clockTimestamp: number; readonly clockTolerance: number },
): jwt.JwtPayload {
  let claims: jwt.JwtPayload | string;
  try {
    claims = jwt.verify(token, key, { algorithms: [algorithm], ...clock });
  } catch (cause) {
    throw new UnauthenticatedError(refusal, { cause });
  }
  if (typeof claims === 'string') throw new UnauthenticatedError(refusal);
  return claims;
}
