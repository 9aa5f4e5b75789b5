import type { WriteSession } from '../db/types.ts';
import { UnauthenticatedError } from '../errors.ts';
import { findById, lockAccounts } from './store.ts';
import type { Login, LoginToken, TokenHolder } from './types.ts';

/**
 * Makes sure that since a request was authenticated, its account has not been deleted nor its token revoked. No other
 * transaction can delete the account until this one ends.
 * @throws UnauthenticatedError
 */
export async function refuseEnded(session: WriteSession, { account, token }: Login): Promise<void> {
  const accounts = await lockAccounts(session);
  if (!accounts.some(({ id }) => id === account.id)) {
    throw new UnauthenticatedError('The account does not exist any more.');
  }
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
