import type { WriteSession } from '../db/types.ts';
import { UnauthenticatedError } from '../errors.ts';
import { lockAccounts } from './store.ts';

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
