import type { Request } from '@middy/core';
import { UnauthenticatedError } from '../../errors.ts';
import { bearerToken } from '../bearer.ts';
import type { AdminCall, AuditedCall, Step } from '../call.ts';
import type { HttpResponse } from '../types.ts';

/**
 * Finds out who carries the token in `Authorization: Bearer` (RFC 6750). Asked once more after a body that had to be waited for,
 * it forgets first who it was: a token that was revoked meanwhile is nobody's.
 */
export function authenticateAccount(): Step<AdminCall> {
  const authenticateAccountBefore = async ({ event }: Request<AdminCall>): Promise<void> => {
    forgetAccount(event);
    const token = bearerToken(event.headers.authorization);
    if (token === undefined) {
      throw new UnauthenticatedError(
        'The header Authorization with a Bearer token from the login is missing.',
      );
    }
    const login = await event.lrs.logins.verify(token);
    event.account = login.account;
    event.token = login.token;
    event.responseMemory?.assignTo(login.account.id);
  };
  const authenticateAccountOnError = ({ response }: Request<AdminCall, HttpResponse>): void => {
    if (response?.statusCode === 401)
      response.headers['WWW-Authenticate'] = 'Bearer realm="LRS administration"';
  };
  return { before: authenticateAccountBefore, onError: authenticateAccountOnError };
}

/** From then on the audit trail keeps of the call what it keeps of a stranger's. */
export function forgetAccount(call: AuditedCall): void {
  call.account = undefined;
}
