import type { Context } from 'aws-lambda';
import { openedFunction } from './runtime.ts';

/** Milliseconds left for what began before the deadline. */
const reserve = 15_000;
/** Where nobody says how long the function may run, as under serverless-offline. */
const defaultTime = 60_000;

/** What a schedule invokes: does some of what no request waits for. @returns what became of each task. */
export async function handler(_event: unknown, context?: Pick<Context, 'getRemainingTimeInMillis'>) {
  const time = context?.getRemainingTimeInMillis?.() ?? defaultTime;
  const { runBackground, abandonUnfinished } = await openedFunction();
  try {
    return await runBackground(Date.now() + Math.max(1000, time - reserve));
  } finally {
    abandonUnfinished();
  }
}
