import type { Request } from '@middy/core';
import { UnauthenticatedError } from '../../errors.ts';
import type { AdminCall, Step } from '../call.ts';
import type { HttpResponse } from '../types.ts';

/** Finds out whose login token the call carries as `Authorization: Bearer` (RFC 6750). */
export function authenticateAccount(): Step<AdminCall> {
  const authenticateAccountBefore = async ({ event }: Request<AdminCall>): Promise<void> => {
    const token = /^Bearer +(\S+) *$/i.exec(event.headers.authorization ?? '')?.[1];
    if (token === undefined) {
      throw new UnauthenticatedError(
        'The header Authorization with a Bearer token from the login is missing.',
      );
    }
    event.account = await event.lrs.tokens.verify(token);
  };
  const authenticateAccountOnError = ({ response }: Request<AdminCall, HttpResponse>): void => {
    if (response?.statusCode === 401)
      response.headers['WWW-Authenticate'] = 'Bearer realm="LRS administration"';
  };
  return { before: authenticateAccountBefore, onError: authenticateAccountOnError };
}
