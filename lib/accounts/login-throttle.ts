import { createHmac } from 'node:crypto';
import { Capacity } from '../capacity.ts';
import type { Database, WriteSession } from '../db/types.ts';
import { TooManyRequestsError } from '../errors.ts';
import { endAfter, type RateLimit, waitOf } from '../rate-limits/gcra.ts';
import { type Ends, readMarks, removeEndedMarks, writeMarks } from '../rate-limits/marks-store.ts';
import { networkOf } from '../rate-limits/network.ts';
import { KeyedMutex } from './keyed-mutex.ts';

export interface ThrottleOptions {
  /** Makes the marks, so that the database holds no name that was tried; all instances must have the same. */
  readonly key: Buffer;
  /** Milliseconds since the epoch. */
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
/** Marks that have ended are kept so long, because somebody may just be about to renew them. */
const keptFor = 60 * seconds;

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
  readonly #db: Database;
  readonly #key: Buffer;
  readonly #now: () => number;

  constructor(db: Database, { key, now = () => Date.now() }: ThrottleOptions) {
    this.#db = db;
    this.#key = key;
    this.#now = now;
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
    const seen = await this.#db.read((session) => readMarks(session, all));
    const taken = counted(limits, (seen.get(limits.known) ?? 0) > this.#now());
    this.#admit(taken, seen);
    await this.#change(taken, (ends) => this.#admit(taken, ends));
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
  #admit(limits: readonly RateLimit[], ends: Ends): Ends {
    const now = this.#now();
    const waits = limits.map((limit) => waitOf(limit, ends.get(limit.mark) ?? 0, now));
    const wait = Math.ceil(Math.max(...waits) / seconds);
    if (wait > 0) {
      throw new TooManyRequestsError(`Too many wrong passwords: try again in ${wait} s.`, wait);
    }
    return new Map(
      limits.map((limit) => [limit.mark, endAfter(limit, { end: ends.get(limit.mark) ?? 0, now, count: 1 })]),
    );
  }

  #giveBack(limits: readonly RateLimit[], known: string | undefined): Promise<void> {
    return this.#change(limits, (ends) => {
      const earlier = limits.map(({ mark, interval }) => [mark, (ends.get(mark) ?? 0) - interval] as const);
      return new Map(known === undefined ? earlier : [...earlier, [known, this.#now() + knownFor]]);
    });
  }

  #change(limits: readonly RateLimit[], change: (ends: Ends) => Ends): Promise<void> {
    const marks = limits.map(({ mark }) => mark);
    const work = async (session: WriteSession): Promise<void> => {
      // Nobody else writes until this transaction ends.
      const ends = change(await readMarks(session, marks));
      session.send(removeEndedMarks(session, this.#now() - keptFor));
      session.send(writeMarks(session, ends));
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
