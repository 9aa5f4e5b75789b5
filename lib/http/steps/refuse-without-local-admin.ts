import type { Request } from '@middy/core';
import { NotFoundError } from '../../errors.ts';
import type { Call, Step } from '../call.ts';

/** Refuses what only means something to accounts with a password, where an OpenID provider alone vouches for people. */
export function refuseWithoutLocalAdmin(): Step<Call> {
  const refuseWithoutLocalAdminBefore = ({ event }: Request<Call>): void => {
    const { oidcIssuer, oidcEnableLocalAdmin } = event.lrs.config.webserver;
    if (oidcIssuer === null || oidcEnableLocalAdmin) return;
    throw new NotFoundError(
      'Accounts with a password are switched off (webserver.oidcEnableLocalAdmin): log in at the OpenID provider.',
    );
  };
  return { before: refuseWithoutLocalAdminBefore };
}
