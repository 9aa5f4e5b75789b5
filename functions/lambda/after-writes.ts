import type { RawRequest } from '../../lib/http/gateways/gateway.ts';
import type { GatewayResult } from '../../lib/http/gateways/index.ts';
import { openedFunction } from './runtime.ts';

/**
 * When statements may have been stored, works for the consumers of the feed before the answer goes out, for as long as the
 * setting `feedWriteMilliseconds` says: behind the answer nothing may run. What is left is for the background function.
 */
export async function serveFeed(
  { method }: Pick<RawRequest, 'method'>,
  { statusCode = 200 }: GatewayResult,
): Promise<void> {
  if ((method !== 'POST' && method !== 'PUT') || statusCode >= 300) return;
  const { lrs } = await openedFunction();
  const { feedWriteMilliseconds } = lrs.config.lrs;
  if (feedWriteMilliseconds === 0) return;
  // The statements are stored, whatever becomes of this.
  await lrs.feed.runUntil(Date.now() + feedWriteMilliseconds).catch((error: unknown) => {
    lrs.logger.warn({ err: error }, 'what follows from stored statements is left to the background function');
  });
}
