import type { Reaction } from './active-reactions.ts';

/** What all reactions to one trigger may work together (ms) and none of them is slow. */
const usualWork = 100;
/** What each of them may work (ms): several quick ones would hold up the others for ever where there are many triggers. */
export const usualOfEach = 10;
/** What reactions may take beyond that of the time of a consumer that serves several. */
const share = 1 / 10;

type Id = Reaction['id'];

/**
 * How long reactions hold up the others that the same consumer serves. Triggers that take usual work count nothing, so reactions
 * with many of them are not slow. What others take beyond that adds up for all reactions, and is made up for by the time that
 * passes: setting one aside does not permit the next one to hold up the others for as long.
 */
export class TimeShares {
  readonly #most: number;
  readonly #endsWork: boolean;
  /** Milliseconds that each reaction has taken beyond what is usual, as far as they are not made up for. */
  readonly #debts = new Map<Id, number>();
  /** When that was (`performance.now()`). */
  #at = performance.now();

  /**
   * @param most milliseconds beyond what is usual (`reactionSharedMilliseconds`).
   * @param options `endsWork`: whether reactions may work no longer; if not, nobody waits for them.
   */
  constructor(most: number, { endsWork = true } = {}) {
    this.#most = most;
    this.#endsWork = endsWork;
  }

  /** How long (ms) reactions may hold up the others from now on. */
  get left(): number {
    return this.#endsWork ? this.#most - sumOf(this.#current().values()) : Number.POSITIVE_INFINITY;
  }

  /** For how long (ms) a reaction has held up the others. */
  debtOf(id: Id): number {
    return this.#current().get(id) ?? 0;
  }

  /** Begins a trigger. */
  begin(): TriggerTime {
    return new TriggerTime(this);
  }

  /** @param times what each reaction to a trigger has taken beyond what is usual (ms). */
  add(times: ReadonlyMap<Id, number>): void {
    const debts = this.#current();
    for (const [id, milliseconds] of times) debts.set(id, (debts.get(id) ?? 0) + milliseconds);
    const sum = sumOf(debts.values());
    if (sum > this.#most) this.#scale(this.#most / sum);
  }

  #current(): Map<Id, number> {
    const now = performance.now();
    const sum = sumOf(this.#debts.values());
    if (sum > 0) this.#scale(1 - (share * (now - this.#at)) / sum);
    this.#at = now;
    return this.#debts;
  }

  #scale(factor: number): void {
    if (factor <= 0) this.#debts.clear();
    else for (const [id, milliseconds] of this.#debts) this.#debts.set(id, milliseconds * factor);
  }
}

/** Less (ms) is as good as nothing. */
const leastLeft = 1;

/** How long the reactions to one trigger work. */
export class TriggerTime {
  readonly #shares: TimeShares;
  readonly #times = new Map<Reaction, number>();
  #total = 0;
  /** What each has worked beyond what is usual, added up. */
  #beyondOfEach = 0;
  /** How much of it the shares know. */
  #added = 0;

  constructor(shares: TimeShares) {
    this.#shares = shares;
  }

  /** How long (ms) a reaction may work on the trigger from now on; 0 where it may not. */
  left(reaction: Reaction): number {
    const beyond = this.#shares.left + this.#added;
    const left = Math.min(
      beyond + usualWork - this.#total,
      beyond - this.#beyondOfEach + Math.max(0, usualOfEach - this.#timeOf(reaction)),
    );
    // Some of what was used up is there again as soon as any time has passed.
    return left < leastLeft ? 0 : left;
  }

  /** A reaction has worked on the trigger. */
  spend(reaction: Reaction, milliseconds: number): void {
    const before = this.#timeOf(reaction);
    this.#times.set(reaction, before + milliseconds);
    this.#total += milliseconds;
    this.#beyondOfEach += beyondUsual(before + milliseconds) - beyondUsual(before);
    const more = this.#beyond - this.#added;
    if (more <= 0) return;
    this.#added += more;
    const part = more / this.#total;
    this.#shares.add(new Map(Array.from(this.#times, ([{ id }, time]) => [id, time * part])));
  }

  /**
   * Takes out the reactions to set aside where no time is left: the one that has held up the others for longest, and of those to
   * this trigger the slowest ones, until the others do usual work. None that has not worked on it.
   */
  takeSlowest(): Reaction[] {
    const weightOf = (reaction: Reaction): number =>
      this.#shares.debtOf(reaction.id) + this.#timeOf(reaction);
    const [first, ...others] = [...this.#times.keys()].sort((one, other) => weightOf(other) - weightOf(one));
    if (first === undefined) return [];
    const slowest = [first];
    let rest = this.#total - this.#timeOf(first);
    for (const each of others.toSorted((one, other) => this.#timeOf(other) - this.#timeOf(one))) {
      if (rest <= usualWork && this.#timeOf(each) <= usualOfEach) break;
      slowest.push(each);
      rest -= this.#timeOf(each);
    }
    return slowest;
  }

  get #beyond(): number {
    return Math.max(0, this.#total - usualWork, this.#beyondOfEach);
  }

  #timeOf(reaction: Reaction): number {
    return this.#times.get(reaction) ?? 0;
  }
}

function beyondUsual(milliseconds: number): number {
  return Math.max(0, milliseconds - usualOfEach);
}

function sumOf(all: Iterable<number>): number {
  let sum = 0;
  for (const each of all) sum += each;
  return sum;
}
