import type { Reaction } from './active-reactions.ts';

/** What one trigger may take (ms) and a reaction is not slow, also on a busy machine. */
const usual = 100;
/** What a reaction may take of the time of a consumer that serves others beside it. */
const share = 1 / 10;

/** Whether triggers were worked on in a usual time. */
export function isUsual(milliseconds: number, triggers: number): boolean {
  return milliseconds <= usual * triggers;
}

interface Debt {
  /** Milliseconds that the reaction has taken beyond what is usual. */
  readonly milliseconds: number;
  /** When that was (`performance.now()`); since then some of it was made up for. */
  readonly at: number;
}

/**
 * How long each reaction holds up the others that the same consumer serves. Triggers that take a usual time count nothing, so a
 * reaction with many of them is not slow; what others take beyond that adds up, and is made up for by the time that passes.
 */
export class TimeShares {
  readonly #most: number;
  readonly #debts = new Map<string, Debt>();

  /** @param most milliseconds beyond what is usual (`reactionSharedMilliseconds`). */
  constructor(most: number) {
    this.#most = most;
  }

  /** How long (ms) the reaction may work on a trigger from now on; not positive where it may not. */
  left({ id }: Pick<Reaction, 'id'>): number {
    return this.#most + usual - this.#debtOf(id);
  }

  /** The reaction has worked on a trigger. */
  spend({ id }: Pick<Reaction, 'id'>, milliseconds: number): void {
    const debt = Math.min(this.#most, this.#debtOf(id) + milliseconds - usual);
    if (debt > 0) this.#debts.set(id, { milliseconds: debt, at: performance.now() });
    else this.#debts.delete(id);
  }

  #debtOf(id: string): number {
    const debt = this.#debts.get(id);
    return debt === undefined ? 0 : Math.max(0, debt.milliseconds - share * (performance.now() - debt.at));
  }
}
