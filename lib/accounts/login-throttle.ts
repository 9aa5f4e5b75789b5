import { createHmac } from 'node:crypto';
import { Capacity } from '../capacity.ts';
import type { Database, WriteSession } from '../db/types.ts';
import { TooManyRequestsError } from '../errors.ts';
import { GenerationalCache } from '../generational-cache.ts';
import { believed, endAfter, type RateLimit, waitOf } from '../rate-limits/gcra.ts';
import {
  type Ends,
  keptFor,
  type Marks,
  readMarks,
  removeEndedMarks,
  writeMarks,
} from '../rate-limits/marks-store.ts';
import { networkOf } from '../rate-limits/network.ts';
import { KeyedMutex } from './keyed-mutex.ts';

export interface ThrottleOptions {
  /** Makes the marks, so that the database holds no name that was tried; all instances must have the same. */
  readonly key: Buffer;
  /** Replaces the clock of the database, in milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Who tries a password. */
export interface Attempt {
  readonly username: string;
  /** The address that the request came from, as far as it is known. */
  readonly client: string | undefined;
}

const seconds = 1000;
const knownFor = 30 * 24 * 3600 * seconds;
/** Marks that a process remembers. */
const mostOwn = 10_000;

/**
 * Limits the rate of wrong passwords, for all processes on one database together (docs/decisions/0018). A wrong password
 * counts against three rate limits: that of the name from this network, that of the network, and that of the name. If the
 * name has logged in from the network within the last 30 days, only the first counts, so that strangers who try a name do
 * not lock its owner out. Nothing depends on whether the name exists.
 */
export class LoginThrottle {
  readonly #turns = new KeyedMutex();
  /** One of these writes waits for the write lock at a time, so that many attempts at once do not delay other writers. */
  readonly #writes = new Capacity(1);
  /**
   * Ends by what this process has admitted. Processes that use servers whose clocks differ do not believe each other's ends in
   * the database; then each of them limits alone.
   */
  readonly #own = new GenerationalCache<number>(mostOwn);
  readonly #db: Database;
  readonly #key: Buffer;
  readonly #clock: (() => number) | undefined;

  constructor(db: Database, { key, now }: ThrottleOptions) {
    this.#db = db;
    this.#key = key;
    this.#clock = now;
  }

  /**
   * Resolves with what `check` finds; undefined is a wrong password. Attempts for the same name from the same network
   * take turns, so that any number of right ones at once pass.
   * @throws TooManyRequestsError without a check after too many wrong ones.
   */
  check<T>(attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const limits = this.#limits(attempt);
    return this.#turns.take(limits.pair.mark, () => this.#inTurn(limits, check));
  }

  async #inTurn<T>(limits: RateLimits, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const all = [limits.known, ...counted(limits, false).map(({ mark }) => mark)];
    const seen = await this.#db.read((session) => readMarks(session, all, this.#clock));
    const taken = counted(limits, (seen.ends.get(limits.known) ?? 0) > seen.now);
    this.#admit(taken, seen);
    const now = await this.#change(taken, (marks) => this.#admit(taken, marks));
    for (const limit of taken)
      this.#own.set(limit.mark, endAfter(limit, { end: this.#endOf(limit, 0, now), now, count: 1 }));
    let found: T | undefined;
    let wrong = false;
    try {
      found = await check();
      wrong = found === undefined;
    } finally {
      if (!wrong) await this.#giveBack(taken, found === undefined ? undefined : limits.known);
    }
    return found;
  }

  /** The ends of the limits once one more password is wrong. @throws TooManyRequestsError when that is one too many. */
  #admit(limits: readonly RateLimit[], { ends, now }: Marks): Ends {
    const known = limits.map((limit) => ({ limit, end: this.#endOf(limit, ends.get(limit.mark) ?? 0, now) }));
    const waits = known.map(({ limit, end }) => waitOf(limit, end, now));
    const wait = Math.ceil(Math.max(...waits) / seconds);
    if (wait > 0) {
      throw new TooManyRequestsError(`Too many wrong passwords: try again in ${wait} s.`, wait);
    }
    return new Map(known.map(({ limit, end }) => [limit.mark, endAfter(limit, { end, now, count: 1 })]));
  }

  /** @param known the end in the database. */
  #endOf(limit: RateLimit, known: number, now: number): number {
    return Math.max(believed(limit, known, now), believed(limit, this.#own.get(limit.mark) ?? 0, now));
  }

  async #giveBack(limits: readonly RateLimit[], known: string | undefined): Promise<void> {
    for (const { mark, interval } of limits) this.#own.set(mark, (this.#own.get(mark) ?? 0) - interval);
    await this.#change(limits, ({ ends, now }) => {
      const earlier = limits.map(({ mark, interval }) => [mark, (ends.get(mark) ?? 0) - interval] as const);
      return new Map(known === undefined ? earlier : [...earlier, [known, now + knownFor]]);
    });
  }

  /** @returns the time at which they were changed. */
  #change(limits: readonly RateLimit[], change: (marks: Marks) => Ends): Promise<number> {
    const names = limits.map(({ mark }) => mark);
    const work = async (session: WriteSession): Promise<number> => {
      // Nobody else writes until this transaction ends.
      const marks = await readMarks(session, names, this.#clock);
      const ends = change(marks);
      session.send(removeEndedMarks(session, marks.now - keptFor));
      session.send(writeMarks(session, ends));
      return marks.now;
    };
    return this.#writes.run(1, () => this.#db.write(work, { readsFirst: true }));
  }

  #limits({ username, client }: Attempt): RateLimits {
    const network = networkOf(client);
    const mark = (...parts: readonly string[]): string =>
      createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('hex').slice(0, 32);
    return {
      pair: { mark: mark('pair', username, network), free: 10, interval: 10 * seconds },
      network: { mark: mark('network', network), free: 50, interval: seconds },
      name: { mark: mark('name', username), free: 100, interval: 2 * seconds },
      known: mark('known', username, network),
    };
  }
}

interface RateLimits {
  readonly pair: RateLimit;
  readonly network: RateLimit;
  readonly name: RateLimit;
  /** The mark of a name that has logged in from this network. */
  readonly known: string;
}

const counted = ({ pair, network, name }: RateLimits, known: boolean): RateLimit[] =>
  known ? [pair] : [pair, network, name];
