import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AttackerOrder } from './attacker-process.ts';
import type { AttackResult, AttackTask, HostileClients } from './own-attackers.ts';
import { typescript } from './programs.ts';
import type { Attack } from './types.ts';

/** Real attackers sit at other machines: these get a processor only while nobody else wants it (SCHED_IDLE, sched(7)). */
const [idlePriority, ...idleOptions] = ['chrt', '--idle', '0'] as const;

/**
 * Hostile clients in a process of their own. All of its threads have the least priority, which a process can't give to those
 * that it has already.
 */
export class DistantAttackers implements HostileClients {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start({ name }: Attack, task: AttackTask): Promise<DistantAttackers> {
    const child = fork(join(import.meta.dirname, 'attacker-process.ts'), {
      execPath: idlePriority,
      execArgv: [...idleOptions, process.execPath, ...typescript],
    });
    const attackers = new DistantAttackers(child);
    await attackers.#order({ name, task });
    return attackers;
  }

  async prepare(): Promise<void> {
    await this.#order('prepare');
  }

  async run(): Promise<void> {
    await this.#order('run');
  }

  report(): Promise<AttackResult> {
    return this.#order('report');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** Resolves when the order is carried out. @throws Error when the process ends before. */
  async #order(order: AttackerOrder): Promise<AttackResult> {
    const ended = new AbortController();
    const stop = (): void => ended.abort();
    this.#child.once('exit', stop);
    try {
      const answer = once(this.#child, 'message', { signal: ended.signal });
      this.#child.send(order);
      const [result]: AttackResult[] = await answer;
      if (result === undefined) throw new Error('The attackers gave no report.');
      return result;
    } finally {
      this.#child.off('exit', stop);
    }
  }
}
