import { createSecretKey, randomUUID } from 'node:crypto';
import type { AdminAccount, Login } from '../accounts/types.ts';
import type { Database } from '../db/types.ts';
import { NotFoundError, UnauthenticatedError } from '../errors.ts';
import { isSpent, spendToken } from './spent-tokens-store.ts';
import { algorithm, loadTokens, refusal, type TokenOptions, verifiedClaims } from './tokens.ts';

/** A one-time token that is good and has not been used. */
export interface OneTimeToken {
  readonly account: AdminAccount;
  /** Its `oti`. */
  readonly id: string;
  /** Its `gen`: that of the account's tokens. */
  readonly generation: number;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Tokens for one download each: they stand in an address, where a login token must never stand. */
export interface OneTimeTokenService {
  /**
   * A one-time token of the caller's account (claims `acc`, `iat`, `exp`, `oti`, `gen`), of the generation of the token that
   * the caller has presented: it is revoked together with that.
   * @throws NotFoundError
   */
  issue(caller: Login): Promise<string>;
  /**
   * Before anything is done for the download. A use that is under way elsewhere may not be seen yet: `redeem` decides.
   * @throws UnauthenticatedError, also for a login token.
   */
  verify(token: string): Promise<OneTimeToken>;
  /** Uses the token up: of all who try, in whatever process, one succeeds. @throws UnauthenticatedError for the others. */
  redeem(token: OneTimeToken): Promise<void>;
}

const usedRefusal = 'The one-time token has been used: ask for another one.';

export function createOneTimeTokenService(
  db: Database,
  options: Omit<TokenOptions, 'jwtRefreshExpTime'>,
): OneTimeTokenService {
  const { jwtExpTime, jwtExpLeeway, findAccount, now = Date.now } = options;
  const key = createSecretKey(options.key);
  const seconds = (): number => Math.floor(now() / 1000);
  return {
    async issue({ account, token }) {
      // A token of another system has no generation.
      const gen = token?.generation ?? (await findAccount(account.id))?.tokenGeneration;
      if (gen === undefined) throw new NotFoundError('There is no such account.');
      const iat = seconds();
      const exp = iat + jwtExpTime;
      const claims = { acc: account.id, iat, exp, oti: randomUUID(), gen };
      const jwt = await loadTokens();
      return jwt.sign(claims, key, { algorithm });
    },

    async verify(token) {
      const clock = { clockTimestamp: seconds(), clockTolerance: jwtExpLeeway };
      const { acc, exp, oti, gen } = await verifiedClaims(token, key, clock);
      if (typeof acc !== 'string' || typeof oti !== 'string' || exp === undefined)
        throw new UnauthenticatedError(refusal);
      const holder = await findAccount(acc);
      if (!holder || gen !== holder.tokenGeneration) throw new UnauthenticatedError(refusal);
      if (await db.read((session) => isSpent(session, oti), { byKey: true }))
        throw new UnauthenticatedError(usedRefusal);
      const account = { id: holder.id, username: holder.username };
      return { account, id: oti, generation: holder.tokenGeneration, expiresAt: exp };
    },

    async redeem({ id, expiresAt }) {
      const forgetUntil = seconds() - jwtExpLeeway;
      const isFirst = await db.write((session) => spendToken(session, { id, expiresAt, forgetUntil }));
      if (!isFirst) throw new UnauthenticatedError(usedRefusal);
    },
  };
}
