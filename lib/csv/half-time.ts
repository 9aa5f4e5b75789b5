import { setTimeout } from 'node:timers/promises';
import { Gate } from '../db/gate.ts';
import { giveWay } from '../in-turns.ts';

/** Milliseconds. A turn of the event loop that took longer had other work to do. */
const idleTurn = 0.25;
const longestPause = 20;

/** Gives way to other work, and for as long again when there was some. */
export async function rest(): Promise<void> {
  const start = performance.now();
  await giveWay();
  const taken = performance.now() - start;
  if (taken > idleTurn) await pause(taken);
}

/** Of all exports of the process. */
const making = new Gate();
/** Milliseconds; the parts of a statement of megabytes take longer. */
const shortWork = 5;

/** Does work that can't be interrupted, that of one export at a time; after long work all of them rest for as long as it took. */
export function makeInTurn<Result>(work: () => Result): Promise<Result> {
  return making.exclusive(async () => {
    const start = performance.now();
    const result = work();
    const taken = performance.now() - start;
    if (taken > shortWork) await setTimeout(taken);
    return result;
  });
}

/** Does the work, and lets others have the database for as long as it took: an export takes half of it at most. */
export async function byTurns<Result>(work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  await pause(performance.now() - start);
  return result;
}

async function pause(milliseconds: number): Promise<void> {
  await setTimeout(Math.min(milliseconds, longestPause));
}
