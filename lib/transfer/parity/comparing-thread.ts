import { Worker } from 'node:worker_threads';
import type { Task } from './comparing-worker.ts';
import type { ComparedPair, CompareStatements } from './statement-comparison.ts';

export interface ComparingThread {
  readonly compare: CompareStatements;
  end(): Promise<void>;
}

/**
 * Compares in a thread of its own, while the process reads further statements of both sides. An error in it fails what waits for
 * it and all that comes later.
 * @param file the built worker.
 */
export function startComparing(file: URL): ComparingThread {
  const worker = new Worker(file);
  const waiting: { resolve: (pairs: readonly ComparedPair[]) => void; reject: (error: Error) => void }[] = [];
  let ended: Error | undefined;
  const end = (reason: Error): void => {
    ended ??= reason;
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  worker.on('message', (pairs: readonly ComparedPair[]) => waiting.shift()?.resolve(pairs));
  worker.on('error', end);
  worker.on('exit', () => end(new Error('The thread that compares statements has ended.')));
  return {
    compare: (pairs, trusted) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        waiting.push({ resolve, reject });
        const task: Task = { pairs, trusted };
        worker.postMessage(task);
      }),
    async end() {
      await worker.terminate();
    },
  };
}
