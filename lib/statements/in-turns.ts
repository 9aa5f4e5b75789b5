import { setImmediate } from 'node:timers/promises';

/** How many items are worked off before other work gets its turn: statements for less than a millisecond. */
const itemsPerTurn = 10;

/**
 * What `work` gives for each item, of many items in turns, so that neither other requests nor a running transaction wait for
 * all of them.
 */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    const index = results.length;
    if (index > 0 && index % itemsPerTurn === 0) await setImmediate();
    results.push(work(item, index));
  }
  return results;
}
