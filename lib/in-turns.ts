import { setImmediate } from 'node:timers/promises';
import { Turns } from './turns.ts';

/** Milliseconds after which work gives way: the answers of the database, which a transaction waits for, come in between. */
const longestSlice = 0.4;

/** One slice of long work runs in each turn of the event loop, whichever request it belongs to. */
const slices = new Turns(1);

/** How long work gives way: resolves when it may go on. */
export type Pace = () => Promise<void>;

/**
 * Gives way to other work: resolves in a later turn of the event loop, in the order of the calls. The process runs one slice of
 * long work in a turn, so what other requests wait for does not grow with the number of those that take long.
 */
export const giveWay: Pace = () => slices.take(1);

/**
 * The same for work that holds the write lock: it goes on in the next turn, before other long work, because all who write wait
 * for it.
 */
export const giveWayBriefly: Pace = () => setImmediate();

/**
 * What `work` gives for each item, of many items in turns, so that neither other requests nor a running transaction wait for
 * all of them. Work that returns a promise is awaited before the next item. What takes long may be the item as well as the work.
 */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => Result | Promise<Result>,
  pace = giveWay,
): Promise<Result[]> {
  const results: Result[] = [];
  const pauses = new Pauses(pace);
  for (const item of items) {
    const before = pauses.pause();
    if (before !== undefined) await before;
    const result = work(item, results.length);
    results.push(result instanceof Promise ? await result : result);
    const after = pauses.pause();
    if (after !== undefined) await after;
  }
  return results;
}

/** Interrupts long synchronous work: call `pause` for each item and await what it returns, if anything. */
export class Pauses {
  readonly #pace: Pace;
  #start = performance.now();

  constructor(pace = giveWay) {
    this.#pace = pace;
  }

  /** A promise when the event loop has waited long enough for other work to be let in. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#start > longestSlice ? this.#rest() : undefined;
  }

  async #rest(): Promise<void> {
    await this.#pace();
    this.#start = performance.now();
  }
}
