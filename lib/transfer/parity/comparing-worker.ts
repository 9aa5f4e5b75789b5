import { parentPort } from 'node:worker_threads';
import { compareStatement, type StatementPair } from './statement-comparison.ts';

/** What a thread is asked to compare; it answers in the order of its tasks. */
export interface Task {
  readonly pairs: readonly StatementPair[];
  readonly trusted: boolean;
}

parentPort?.on('message', ({ pairs, trusted }: Task) => {
  parentPort?.postMessage(pairs.map((pair) => compareStatement(pair, trusted)));
});
