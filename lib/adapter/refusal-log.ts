import type { Logger } from '../logger.ts';
import { refused as measureRefusal } from '../telemetry/measure.ts';
import type { ConnectionLimit } from './connections.ts';

/** Milliseconds between two lines. */
const interval = 60_000;

/** Logs the first refused connection at once and later ones in sum, so that a flood of connections cannot flood the log. */
export function createRefusalLog(logger: Pick<Logger, 'warn'>): (limit: ConnectionLimit) => void {
  let refused: Record<string, number> = {};
  let isWaiting = false;
  const write = (): void => {
    isWaiting = Object.keys(refused).length > 0;
    if (!isWaiting) return;
    logger.warn(
      { refused },
      'connections were refused, or idle ones closed for them, by the limits that are reached',
    );
    refused = {};
    setTimeout(write, interval).unref();
  };
  return ({ setting, title }) => {
    measureRefusal('unavailable', setting);
    refused[title] = (refused[title] ?? 0) + 1;
    if (!isWaiting) write();
  };
}
