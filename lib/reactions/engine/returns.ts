import type { Reaction } from './active-reactions.ts';
import { TimeShares } from './time-shares.ts';

/** How long (ms) a reaction must not have been slow before it returns. */
const shortest = 1000;
const longest = 3_600_000;
/** A reaction that is slow again within so many times as long, or within `longest` where it was idle, has returned too early. */
const timesSoon = 10;
/** A reaction is not slow while it would have held up others for no longer (ms). */
const leastDebt = 100;

interface Apart {
  readonly version: Reaction['version'];
  /** How long it works, as if others waited for it. */
  readonly shares: TimeShares;
  /** How long (ms) the reaction must not have been slow. */
  readonly wait: number;
  /** When it was slow (`performance.now()`). */
  readonly slowAt: number;
  /** When it has returned, and whether no trigger has shown before that it is not slow; undefined while it has not. */
  readonly returned?: { readonly at: number; readonly isIdle: boolean };
}

type Identity = Pick<Reaction, 'id' | 'version'>;

/**
 * Decides when slow reactions are served with the others again, as far as this process knows: each time that one is slow again
 * soon after, it stays apart for twice as long. An edit of its ruleset begins anew.
 */
export class Returns {
  readonly #apart = new Map<Reaction['id'], Apart>();

  /** Measures how long a slow reaction works. */
  sharesOf(reaction: Identity): TimeShares {
    return (this.#known(reaction) ?? this.noteSlow(reaction)).shares;
  }

  /** The reaction is slow. */
  noteSlow(reaction: Identity): Apart {
    const now = performance.now();
    const known = this.#known(reaction);
    const { wait = shortest, returned } = known ?? {};
    const apart = {
      version: reaction.version,
      shares: known?.shares ?? new TimeShares(2 * leastDebt, { endsWork: false }),
      wait: returned === undefined ? wait : waitAfter(wait, now - returned.at, returned.isIdle),
      slowAt: now,
    };
    this.#apart.set(reaction.id, apart);
    return apart;
  }

  /** Whether the reaction may return if it has caught up. The time begins now where this process has not seen it slow. */
  mayReturn(reaction: Identity): boolean {
    const apart = this.#known(reaction);
    if (apart === undefined || apart.returned !== undefined || apart.shares.debtOf(reaction.id) > leastDebt) {
      this.noteSlow(reaction);
      return false;
    }
    return performance.now() - apart.slowAt >= apart.wait;
  }

  /** @param isIdle whether that was without a trigger. */
  noteReturned(reaction: Identity, isIdle: boolean): void {
    const apart = this.#known(reaction);
    const returned = { at: performance.now(), isIdle };
    if (apart !== undefined) this.#apart.set(reaction.id, { ...apart, returned });
  }

  /** Forgets reactions that are not among these, because they were deleted or paused. */
  forgetOthers(ids: ReadonlySet<Reaction['id']>): void {
    for (const id of this.#apart.keys()) if (!ids.has(id)) this.#apart.delete(id);
  }

  #known({ id, version }: Identity): Apart | undefined {
    const apart = this.#apart.get(id);
    return apart?.version === version ? apart : undefined;
  }
}

function waitAfter(wait: number, together: number, isIdle: boolean): number {
  const soon = isIdle ? longest : timesSoon * wait;
  return together < soon ? Math.min(longest, 2 * wait) : shortest;
}
