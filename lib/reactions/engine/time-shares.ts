import type { Reaction } from './active-reactions.ts';

/** What all reactions to one trigger may take together (ms) and none of them is slow, also on a busy machine. */
const usual = 100;
/**
 * What each reaction to a trigger may work (ms), the searches of the database not included, while the consumer is late: reactions
 * that take more could each be quick enough for one trigger, and still keep the others waiting for ever.
 */
const usualWhenLate = 10;
/** A trigger that has waited for longer (ms) is late. */
const lateAfter = 2000;
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

  /** Begins a trigger. @param age how long (ms) it has waited. */
  begin(age = 0): TriggerTime {
    return new TriggerTime(this, age > lateAfter ? usualWhenLate : Number.POSITIVE_INFINITY);
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

interface Spent {
  /** Milliseconds. */
  readonly total: number;
  /** Of these, those in which the database was not searched. */
  readonly work: number;
}

const nothingSpent: Spent = { total: 0, work: 0 };

/** The time that the reactions to one trigger take, which they share. */
export class TriggerTime {
  readonly #shares: TimeShares;
  /** What each reaction may work (ms) and holds up nobody. */
  readonly #usualEach: number;
  readonly #spent = new Map<Reaction, Spent>();
  /** How much of it the shares know. */
  #added = 0;

  constructor(shares: TimeShares, usualEach: number) {
    this.#shares = shares;
    this.#usualEach = usualEach;
  }

  /** How long (ms) a reaction may work on the trigger from now on; 0 where it may not. */
  left(reaction: Reaction): number {
    const usualLeft = Math.min(usual - this.#total, this.#usualEach - this.#of(reaction).work);
    const left = Math.max(0, usualLeft) + this.#shares.left;
    // Some of what was used up is there again as soon as any time has passed.
    return left < leastLeft ? 0 : left;
  }

  /** A reaction has worked on the trigger. @param searching how long (ms) of it the database was searched. */
  spend(reaction: Reaction, milliseconds: number, searching = 0): void {
    const { total, work } = this.#of(reaction);
    this.#spent.set(reaction, {
      total: total + milliseconds,
      work: work + Math.max(0, milliseconds - searching),
    });
    const beyond = Math.max(this.#total - usual, this.#beyondEach) - this.#added;
    if (beyond <= 0) return;
    this.#added += beyond;
    const part = beyond / this.#total;
    this.#shares.add(new Map(Array.from(this.#spent, ([{ id }, spent]) => [id, spent.total * part])));
  }

  /**
   * Takes out the reactions to set aside where no time is left: the one that has held up the others for longest, and of those to
   * this trigger the slowest ones, until the others take a usual time. None that has not worked on it. The others may then take a
   * usual time again.
   */
  takeSlowest(): Reaction[] {
    const timeOf = (reaction: Reaction): number => this.#of(reaction).total;
    const weightOf = (reaction: Reaction): number => this.#shares.debtOf(reaction.id) + timeOf(reaction);
    const [first, ...others] = [...this.#spent.keys()].sort((one, other) => weightOf(other) - weightOf(one));
    if (first === undefined) return [];
    const slowest = [first];
    let rest = sumOf(others.map(timeOf));
    for (const each of others.toSorted((one, other) => timeOf(other) - timeOf(one))) {
      if (rest <= usual && this.#of(each).work <= this.#usualEach) break;
      slowest.push(each);
      rest -= timeOf(each);
    }
    for (const each of slowest) this.#spent.delete(each);
    this.#added = Math.max(0, this.#total - usual, this.#beyondEach);
    return slowest;
  }

  get #total(): number {
    return sumOf(Array.from(this.#spent.values(), ({ total }) => total));
  }

  get #beyondEach(): number {
    return sumOf(Array.from(this.#spent.values(), ({ work }) => Math.max(0, work - this.#usualEach)));
  }

  #of(reaction: Reaction): Spent {
    return this.#spent.get(reaction) ?? nothingSpent;
  }
}

function sumOf(all: Iterable<number>): number {
  let sum = 0;
  for (const each of all) sum += each;
  return sum;
}
