import { AttackClient } from './client.ts';
import { Random } from './random.ts';
import { Tally } from './tally.ts';
import type { Attack, Context } from './types.ts';
import { pair } from './victim.ts';

/** What attackers are told about the server and about how much they are to do. */
export interface AttackTask {
  /** Origins of the attacked server. */
  readonly http: string;
  readonly https: string;
  readonly seed: number;
  /** The share of each amount that is used. */
  readonly share: number;
}

export interface AttackResult {
  readonly sent: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** What the server did wrong, one line each. */
  readonly violations: readonly string[];
}

/** Hostile clients that carry out one attack. */
export interface HostileClients {
  /** What is sent to prepare the attack does not count. */
  prepare(): Promise<void>;
  run(): Promise<void>;
  /** What they have done so far. */
  report(): Promise<AttackResult>;
  stop(): Promise<void>;
}

/** Hostile clients in this process. */
export class OwnAttackers implements HostileClients {
  readonly #attack: Attack;
  readonly #task: AttackTask;
  readonly #tally = new Tally();
  readonly #isOver: () => boolean;

  /** @param isOver whether the server has ended, so that nothing more is to be sent. */
  constructor(attack: Attack, task: AttackTask, isOver: () => boolean = () => false) {
    this.#attack = attack;
    this.#task = task;
    this.#isOver = isOver;
  }

  async prepare(): Promise<void> {
    const { prepare } = this.#attack;
    if (prepare !== undefined) await this.#with(new Tally(), prepare);
  }

  run(): Promise<void> {
    return this.#with(this.#tally, this.#attack.run);
  }

  async report(): Promise<AttackResult> {
    const { sent, outcomes, violations } = this.#tally;
    return { sent, outcomes, violations };
  }

  async stop(): Promise<void> {}

  async #with(tally: Tally, work: (context: Context) => Promise<void>): Promise<void> {
    const { http, https, seed, share } = this.#task;
    const client = new AttackClient(http, pair, tally);
    const isOver = this.#isOver;
    try {
      await work({
        http,
        https,
        client,
        tally,
        random: new Random(seed),
        amount: (full) => Math.max(1, Math.round(full * share)),
        async parallel(count, width, one) {
          let next = 0;
          const line = async (): Promise<void> => {
            while (next < count && !isOver()) {
              const index = next;
              next += 1;
              await one(index);
            }
          };
          await Promise.all(Array.from({ length: Math.min(width, count) }, line));
        },
      });
    } finally {
      client.close();
    }
  }
}
