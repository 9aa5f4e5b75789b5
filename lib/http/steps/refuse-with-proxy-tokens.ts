import type { Request } from '@middy/core';
import { InvalidError } from '../../errors.ts';
import type { Call, Step } from '../call.ts';

/**
 * Refuses what the LRS can't do to tokens that it has not issued, whoever asks (service specification, Authentication 4).
 */
export function refuseWithProxyTokens(): Step<Call> {
  const refuseWithProxyTokensBefore = ({ event }: Request<Call>): void => {
    if (event.lrs.config.webserver.jwtNoVal) {
      throw new InvalidError(
        'The tokens are those of a proxy (webserver.jwtNoVal, LRS_JWT_NO_VAL): log out there.',
      );
    }
  };
  return { before: refuseWithProxyTokensBefore };
}
