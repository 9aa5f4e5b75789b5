import type { OpenCall } from './call.ts';

/**
 * The address that a call came from. Behind a trusted proxy that is the last one of `X-Forwarded-For`, which the proxy has
 * added itself; what stands before it, anybody may have written.
 */
export function clientAddress(call: Pick<OpenCall, 'client' | 'headers' | 'lrs'>): string | undefined {
  const forwarded = call.lrs.config.webserver.trustProxy ? call.headers['x-forwarded-for'] : undefined;
  return forwarded?.split(',').at(-1)?.trim() ?? call.client;
}
