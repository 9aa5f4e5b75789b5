import { setImmediate } from 'node:timers/promises';

/** How many items are processed before the event loop runs other work: statements for less than a millisecond. */
const itemsPerTurn = 10;

/** Milliseconds after which the event loop runs other work although fewer items were processed: some take long. */
const longestTurn = 2;

/**
 * What `work` gives for each item, of many items in turns, so that neither other requests nor a running transaction wait for
 * all of them. Work that returns a promise is awaited before the next item.
 */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let inTurn = 0;
  let start = performance.now();
  for (const item of items) {
    if (inTurn === itemsPerTurn || (inTurn > 0 && performance.now() - start > longestTurn)) {
      await setImmediate();
      inTurn = 0;
      start = performance.now();
    }
    const result = work(item, results.length);
    results.push(result instanceof Promise ? await result : result);
    inTurn += 1;
  }
  return results;
}

/** Interrupts long synchronous work: call `pause` for each item and await what it returns, if anything. */
export class Pauses {
  #start = performance.now();

  /** A promise when the event loop has waited long enough for other work to be let in. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#start > longestTurn ? this.#rest() : undefined;
  }

  async #rest(): Promise<void> {
    await setImmediate();
    this.#start = performance.now();
  }
}
