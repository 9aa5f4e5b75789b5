import type { Reaction } from './active-reactions.ts';

/** What all reactions to one trigger may take together (ms) and none of them is slow, also on a busy machine. */
const usual = 100;
/** What reactions may take beyond that of the time of a consumer that serves several. */
const share = 1 / 10;

type Id = Reaction['id'];

/**
 * How long reactions hold up the others that the same consumer serves. Triggers that take a usual time count nothing, so reactions
 * with many of them are not slow. What others take beyond that adds up for all reactions, and is made up for by the time that
 * passes: setting one aside does not permit the next one to hold up the others for as long.
 */
export class TimeShares {
  readonly #most: number;
  /** Milliseconds that each reaction has taken beyond what is usual, as far as they are not made up for. */
  readonly #debts = new Map<Id, number>();
  /** When that was (`performance.now()`). */
  #at = performance.now();

  /** @param most milliseconds beyond what is usual (`reactionSharedMilliseconds`). */
  constructor(most: number) {
    this.#most = most;
  }

  /** How long (ms) reactions may hold up the others from now on. */
  get left(): number {
    return this.#most - sumOf(this.#current().values());
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

/** The time that the reactions to one trigger take, which they share. */
export class TriggerTime {
  readonly #shares: TimeShares;
  readonly #times = new Map<Reaction, number>();
  #total = 0;
  /** How much of it the shares know. */
  #added = 0;

  constructor(shares: TimeShares) {
    this.#shares = shares;
  }

  /** How long (ms) a reaction may work on the trigger from now on; 0 where none may. */
  left(): number {
    const left = Math.max(0, usual - this.#total) + this.#shares.left;
    // Some of what was used up is there again as soon as any time has passed.
    return left < leastLeft ? 0 : left;
  }

  /** A reaction has worked on the trigger. */
  spend(reaction: Reaction, milliseconds: number): void {
    this.#times.set(reaction, (this.#times.get(reaction) ?? 0) + milliseconds);
    this.#total += milliseconds;
    const beyond = Math.max(0, this.#total - usual) - this.#added;
    if (beyond <= 0) return;
    this.#added += beyond;
    const part = beyond / this.#total;
    this.#shares.add(new Map(Array.from(this.#times, ([{ id }, time]) => [id, time * part])));
  }

  /**
   * Takes out the reactions to set aside where no time is left: the one that has held up the others for longest, and of those to
   * this trigger the slowest ones, until the others take a usual time. None that has not worked on it. The others may then take a
   * usual time again.
   */
  takeSlowest(): Reaction[] {
    const timeOf = (reaction: Reaction): number => this.#times.get(reaction) ?? 0;
    const weightOf = (reaction: Reaction): number => this.#shares.debtOf(reaction.id) + timeOf(reaction);
    const [first, ...others] = [...this.#times.keys()].sort((one, other) => weightOf(other) - weightOf(one));
    if (first === undefined) return [];
    const slowest = [first];
    let rest = sumOf(others.map(timeOf));
    for (const each of others.toSorted((one, other) => timeOf(other) - timeOf(one))) {
      if (rest <= usual) break;
      slowest.push(each);
      rest -= timeOf(each);
    }
    for (const each of slowest) this.#times.delete(each);
    this.#total = rest;
    this.#added = Math.max(0, rest - usual);
    return slowest;
  }
}

function sumOf(all: Iterable<number>): number {
  let sum = 0;
  for (const each of all) sum += each;
  return sum;
}
