import type { Reaction } from './active-reactions.ts';

/** How long (ms) a reaction must not have been slow before it returns. */
const shortest = 1000;
const longest = 3_600_000;
/** A reaction that is slow again within so many times as long has returned too early. */
const timesSoon = 10;

interface Apart {
  /** How long (ms) the reaction must not have been slow. */
  readonly wait: number;
  /** When it was slow (`performance.now()`). */
  readonly slowAt: number;
  /** When it has returned; undefined while it has not. */
  readonly returnedAt?: number;
}

/**
 * Decides when slow reactions are served with the others again, as far as this process knows: each time that one is slow again
 * soon after, it stays apart for twice as long.
 */
export class Returns {
  readonly #apart = new Map<Reaction['id'], Apart>();

  /** The reaction is slow. */
  noteSlow(id: Reaction['id']): void {
    const now = performance.now();
    const { wait, returnedAt } = this.#apart.get(id) ?? { wait: shortest };
    this.#apart.set(id, {
      wait: returnedAt === undefined ? wait : waitAfter(wait, now - returnedAt),
      slowAt: now,
    });
  }

  /** Whether the reaction may return if it has caught up. The time begins now where this process has not seen it slow. */
  mayReturn(id: Reaction['id']): boolean {
    const apart = this.#apart.get(id);
    if (apart !== undefined && apart.returnedAt === undefined)
      return performance.now() - apart.slowAt >= apart.wait;
    this.noteSlow(id);
    return false;
  }

  noteReturned(id: Reaction['id']): void {
    const apart = this.#apart.get(id);
    if (apart !== undefined) this.#apart.set(id, { ...apart, returnedAt: performance.now() });
  }
}

function waitAfter(wait: number, together: number): number {
  return together < timesSoon * wait ? Math.min(longest, 2 * wait) : shortest;
}
