import type { Config } from '../../config/types.ts';
import { MemoryBudget } from './memory-budget.ts';

/** What the servers of a process share, so that a limit holds for all of them together. */
export interface Limits {
  /** The memory of request bodies. */
  readonly bodies: MemoryBudget;
  readonly minBodyBytesPerSecond: number;
}

export function createLimits(webserver: Config['webserver']): Limits {
  const { maxBufferedBodyBytes, minBodyBytesPerSecond } = webserver;
  return { bodies: new MemoryBudget(maxBufferedBodyBytes), minBodyBytesPerSecond };
}
