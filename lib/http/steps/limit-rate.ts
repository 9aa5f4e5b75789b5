import type { Request } from '@middy/core';
import { nameOfPrincipal } from '../../credentials/types.ts';
import { networkOf } from '../../rate-limits/network.ts';
import type { Call, Step, XapiCall } from '../call.ts';
import { clientAddress } from '../client-address.ts';

/** Refuses a call when its client sends more than `rateLimitPerAddress` permits. */
export function limitAddress(): Step<Call> {
  const limitAddressBefore = ({ event }: Request<Call>): Promise<void> | undefined =>
    event.lrs.rateLimits?.admit('address', networkOf(clientAddress(event)));
  return { before: limitAddressBefore };
}

/** The same for its key pair, or the bearer of its token, and `rateLimitPerKeyPair`. */
export function limitKeyPair(): Step<XapiCall> {
  const limitKeyPairBefore = ({ event: { lrs, principal } }: Request<XapiCall>): Promise<void> | undefined =>
    lrs.rateLimits?.admit('keyPair', nameOfPrincipal(principal));
  return { before: limitKeyPairBefore };
}
