import { setTimeout } from 'node:timers/promises';
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
