import { plainAddress } from '../plain-address.ts';
import type { OpenCall } from './call.ts';

/**
 * The address that a call came from. Behind a trusted proxy that is the last one of `X-Forwarded-For`, which the proxy has
 * added itself; what stands before it, anybody may have written. Where the last one is no address, such as `unknown`, it is
 * that of the connection, so that nobody gets a limit of their own for each text.
 */
export function clientAddress(call: Pick<OpenCall, 'client' | 'headers' | 'lrs'>): string | undefined {
  const forwarded = call.lrs.config.webserver.trustProxy ? call.headers['x-forwarded-for'] : undefined;
  return plainAddress(forwarded?.split(',').at(-1)?.trim() ?? '') ?? call.client;
}
