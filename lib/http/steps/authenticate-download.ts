import type { Request } from '@middy/core';
import { UnauthenticatedError } from '../../errors.ts';
import type { DownloadCall, Step } from '../call.ts';
import type { HttpResponse } from '../types.ts';
import { authenticateAccount, forgetAccount } from './authenticate-account.ts';

/**
 * Finds out who downloads: the holder of the one-time token in the parameter `token`, which a link can carry, or of a login
 * token as everywhere. The one-time token is used up only by `redeem`, which an action calls when nothing can fail any more.
 * One that is used up already is refused here, like any bad token: it neither counts as an export nor gets an audit entry.
 */
export function authenticateDownload(): Step<DownloadCall> {
  const bearer = authenticateAccount();
  const authenticateDownloadBefore = async (request: Request<DownloadCall>): Promise<void> => {
    const { event } = request;
    forgetAccount(event);
    const token = event.query.get('token');
    if (token === null) {
      await bearer.before?.(request);
      event.presented = event.token;
      event.redeem = async () => {};
      return;
    }
    const { oneTimeTokens } = event.lrs;
    const verified = await oneTimeTokens.verify(token);
    event.account = verified.account;
    event.presented = { generation: verified.generation, id: undefined };
    event.redeem = async () => {
      try {
        await oneTimeTokens.redeem(verified);
      } catch (error) {
        // All but one of many concurrent uses end here; they share an audit entry.
        if (error instanceof UnauthenticatedError) event.merges = true;
        throw error;
      }
    };
  };
  const authenticateDownloadOnError = (request: Request<DownloadCall, HttpResponse>): void => {
    bearer.onError?.(request);
  };
  return { before: authenticateDownloadBefore, onError: authenticateDownloadOnError };
}
