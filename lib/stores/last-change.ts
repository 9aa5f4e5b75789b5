import { setTimeout as sleep } from 'node:timers/promises';
import { closedEverywhereAfter } from './look-interval.ts';
import { stillChanged } from './refusals.ts';

/** How long (ms) a store that becomes read-only waits for changes that have begun. */
const longestChange = 20_000;

/**
 * Resolves when no process begins a change of the store any more and this one has made its last, without which a copy of the
 * store would lack something that a client takes for stored.
 * @param ended the last change of this process.
 * @throws UnavailableError when that lasts too long.
 */
export async function lastChange(name: string, ended: Promise<void>): Promise<void> {
  const everywhere = Promise.all([ended, sleep(closedEverywhereAfter)]);
  const abort = new AbortController();
  const late = sleep(longestChange, 'late', { signal: abort.signal }).catch(() => 'late');
  const outcome = await Promise.race([everywhere, late]);
  abort.abort();
  if (outcome === 'late') throw stillChanged(name);
}
