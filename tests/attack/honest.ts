import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { authorizationOf } from './client.ts';
import type { Experience, HonestTask } from './honest-process.ts';
import { typescript } from './programs.ts';
import { pair } from './victim.ts';

const warmUp = 1_500;

/** Honest clients that use the server all the time, in a process of their own. */
export class HonestClients {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Resolves when they have got used to the server: the first requests take longer than later ones. */
  static async start(origin: string, rate?: number): Promise<HonestClients> {
    const child = fork(join(import.meta.dirname, 'honest-process.ts'), { execArgv: [...typescript] });
    child.send({ origin, authorization: authorizationOf(pair), rate } satisfies HonestTask);
    const clients = new HonestClients(child);
    await clients.experienceFor(warmUp);
    return clients;
  }

  /** What they have experienced since the last call, and go on to experience for so many milliseconds. */
  async experienceFor(milliseconds: number): Promise<Experience> {
    await sleep(milliseconds);
    const answer = once(this.#child, 'message', { signal: AbortSignal.timeout(30_000) });
    this.#child.send('report');
    const [experience]: Experience[] = await answer;
    if (experience === undefined) throw new Error('The honest clients gave no report.');
    return experience;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}
