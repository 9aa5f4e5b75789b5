import type { NearMiss } from '../service-types.ts';
import type { RankedMiss } from './near-misses.ts';

/** Keeps the near misses that tell most: those that lack least, of equal ones those with the Verb of the condition, and of these those of which most holds. Equal reasons are reported once, with a count. */
export class NearestMisses {
  readonly #most: number;
  #kept: { readonly miss: RankedMiss; readonly key: string; statements: number }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(miss: RankedMiss): void {
    const worst = this.#kept.at(-1);
    if (worst !== undefined && this.#kept.length >= this.#most && order(miss, worst.miss) > 0) return;
    const key = keyOf(miss);
    const known = this.#kept.find((other) => other.key === key);
    if (known !== undefined) {
      known.statements += 1;
      return;
    }
    this.#kept.push({ miss, key, statements: 1 });
    this.#kept = this.#kept.toSorted((one, other) => order(one.miss, other.miss)).slice(0, this.#most);
  }

  get all(): NearMiss[] {
    return this.#kept.map(({ miss: { trigger, condition, reasons }, statements }) => ({
      ...{ trigger, condition, reasons, statements },
    }));
  }
}

/** Statements without a partner are grouped by condition: what the partner has to share differs from learner to learner. */
function keyOf({ condition, reasons }: RankedMiss): string {
  return JSON.stringify([
    condition,
    reasons.map(({ expected, ...reason }) => (reason.op === 'partner' ? reason : { expected, ...reason })),
  ]);
}

function order(one: RankedMiss, other: RankedMiss): number {
  return one.lacks - other.lacks || Number(other.hasVerb) - Number(one.hasVerb) || other.held - one.held;
}
