import { setImmediate, setTimeout } from 'node:timers/promises';
import { Turns } from './turns.ts';

/**
 * Milliseconds after which long work pauses, so that responses of the database, which a transaction waits for, are
 * processed.
 */
const longestSlice = 0.4;
/**
 * The same for work in the background. It is longer, because after each slice nine turns of the event loop are for others, which
 * take long where clients send much.
 */
const longestInBackground = 4;

/** One slice of long work runs per turn of the event loop, whichever request it belongs to. */
const slices = new Turns(1);

/** How long work pauses: resolves when it may continue. */
export type Pace = () => Promise<void>;

/**
 * Pauses long work: resolves in a later turn of the event loop, in the order of the calls. The process runs one slice of
 * long work per turn, so the delay of other requests does not grow with the number of long ones.
 */
export const giveWay: Pace = () => slices.take(1);

/** So many times as long as work in the background has run, it lets other long work run before. */
const timesAsLong = 9;
/**
 * The longest turn (ms) that counts. A longer one was no work: the process was frozen, or held up by something else, and other
 * work has not lost that time to this.
 */
const longestCounted = 1000;

const background = { last: Promise.resolve(), mayRunAt: Number.NEGATIVE_INFINITY };

/** Milliseconds after which work in the background looks whether clients still wait. */
const nextLook = 5;

const nobodyWaits = (): boolean => false;

/**
 * The same for work that nobody waits for. Only the first of all such work stands in line with the rest, and where other long work
 * or a client waits, it has a tenth of the time: a slice of it may take a hundred times as long as one of the others.
 * @param clientsWait whether clients wait for short work.
 */
export const giveWayInBackground = (clientsWait = nobodyWaits): Promise<void> => {
  background.last = background.last.then(() => takeTurnInBackground(clientsWait));
  return background.last;
};

async function takeTurnInBackground(clientsWait: () => boolean): Promise<void> {
  for (;;) {
    await giveWay();
    const left = background.mayRunAt - performance.now();
    if (left <= 0 || !(slices.isAwaited || clientsWait())) break;
    if (!slices.isAwaited) await setTimeout(Math.min(left, nextLook));
  }
  const start = performance.now();
  void setImmediate().then(() => {
    const end = performance.now();
    background.mayRunAt = end + timesAsLong * Math.min(end - start, longestCounted);
  });
}

/**
 * The same for work that holds the write lock: it continues in the next turn, before other long work, because all writers
 * wait for it.
 */
export const giveWayBriefly: Pace = () => setImmediate();

/**
 * Maps items with pauses, so that neither other requests nor a running transaction wait for all of them. Promises are
 * awaited before the next item. Either producing or processing an item may take long.
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

/** Where long work may have to pause. */
export interface Pausing {
  /** Returns a promise when a pause is due. */
  pause(): Promise<void> | undefined;
}

/**
 * Interrupts long synchronous work: call `pause` for each item and await its result, if any. Work that runs side by side and waits
 * for little else shares one object; with one each, all may work in the same turn of the event loop.
 */
export class Pauses implements Pausing {
  readonly #pace: Pace;
  readonly #slice: number;
  #start = performance.now();

  constructor(pace = giveWay, { inBackground = false } = {}) {
    this.#pace = pace;
    this.#slice = inBackground ? longestInBackground : longestSlice;
  }

  pause(): Promise<void> | undefined {
    return performance.now() - this.#start > this.#slice ? this.#rest() : undefined;
  }

  async #rest(): Promise<void> {
    await this.#pace();
    this.#start = performance.now();
  }
}
