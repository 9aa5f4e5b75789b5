import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../lib/logger.ts';

/** A worker that ends by itself is replaced, but not faster than this (milliseconds). */
const pauseBeforeReplacement = 1000;

/**
 * Several processes that serve on the same ports. They start one after another, so that the first may prepare what all
 * share.
 */
export class Workers {
  readonly #logger: Logger;
  #stopping = false;

  /** @param program the file that each runs, with the arguments of this process. */
  constructor(program: string, logger: Logger) {
    this.#logger = logger;
    cluster.setupPrimary({ exec: program, args: process.argv.slice(2) });
  }

  /** @returns the addresses they listen on. @throws Error when the first one ends before it listens. */
  async start(count: number): Promise<readonly string[]> {
    let addresses: readonly string[] = [];
    for (let started = 0; started < count; started += 1) {
      const worker = cluster.fork();
      addresses = await listening(worker);
      this.#replaceWhenLost(worker);
    }
    return addresses;
  }

  /** Lets each finish its requests in flight. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map(async (worker) => {
        if (worker.isDead()) return;
        const exit = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await exit;
      }),
    );
  }

  #replaceWhenLost(worker: Worker): void {
    worker.once('exit', async (code: number | null, signal: string | null) => {
      if (this.#stopping) return;
      this.#logger.error({ pid: worker.process.pid, code, signal }, 'a worker has ended and is replaced');
      await sleep(pauseBeforeReplacement);
      if (!this.#stopping) this.#replaceWhenLost(cluster.fork());
    });
  }
}

/** What a worker tells once it listens. */
interface Listening {
  readonly addresses: readonly string[];
}

/** Tells the process that started this one where it listens. */
export function announce(addresses: readonly string[]): void {
  const message: Listening = { addresses };
  process.send?.(message);
}

function listening(worker: Worker): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    worker.once('message', ({ addresses }: Listening) => resolve(addresses));
    worker.once('exit', () => reject(new Error('A worker ended before it listened.')));
  });
}
