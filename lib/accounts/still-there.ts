import type { WriteSession } from '../db/types.ts';
import { UnauthenticatedError } from '../errors.ts';
import { findById, lockAccounts } from './store.ts';
import type { Login, LoginToken, TokenHolder } from './types.ts';

/**
 * Makes sure that the account which a request speaks for has not been deleted since the request was authenticated, and is
 * not before the transaction ends.
 * @throws UnauthenticatedError
 */
export async function refuseDeleted(session: WriteSession, accountId: string): Promise<void> {
  const accounts = await lockAccounts(session);
  if (accounts.some(({ id }) => id === accountId)) return;
  throw new UnauthenticatedError('The account does not exist any more.');
}

/**
 * The same, and that the token of the request has not been revoked since.
 * @throws UnauthenticatedError
 */
export async function refuseEnded(session: WriteSession, { account, token }: Login): Promise<void> {
  await refuseDeleted(session, account.id);
  if (token === undefined) return;
  const holder = await findById(session, account.id);
  if (holder === undefined || !isInForce(token, holder)) {
    throw new UnauthenticatedError('The token was revoked meanwhile: log in again.');
  }
}

/** Whether a token of the account is not revoked. */
export function isInForce(
  { generation, id }: Pick<LoginToken, 'generation' | 'id'>,
  { tokenGeneration, keptToken }: TokenHolder,
): boolean {
  return generation === tokenGeneration || (keptToken !== null && id === keptToken);
}
