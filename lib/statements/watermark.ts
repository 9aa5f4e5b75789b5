import type { Database } from '../db/types.ts';
import type { PositionClock } from './position.ts';
import type { Succession } from './succession.ts';
import { selectNewest } from './survey.ts';
import type { Position } from './types.ts';

/** For how long an answer is given again. */
const freshMs = 20;
/** For how long a reader waits while another process holds the write lock; then an earlier promise has to do. */
const patienceMs = 200;

/** What a transaction tells. */
export interface Hold {
  /** It has the lock: until it ends there is nothing newer to be known than this. */
  readonly onLocked: (position: Position) => void;
  /** It has ended, with a position if it has found out a newer one. */
  readonly release: (position?: Position) => void;
}

/**
 * Up to where the store is complete. The answer is taken while the write lock is held: nobody else is writing then, in
 * this process or another, and whoever writes next takes later positions.
 */
export class Watermark {
  readonly #db: Database;
  readonly #clock: PositionClock;
  readonly #succession: Succession;
  #position: Position = 0;
  #freshUntil = 0;
  /** How many transactions of this process have the lock, or had it and have not been told their outcome. */
  #holds = 0;
  #asking: Promise<void> | undefined;

  constructor(db: Database, clock: PositionClock, succession: Succession) {
    this.#db = db;
    this.#clock = clock;
    this.#succession = succession;
  }

  /** For a transaction of this process that is about to begin; the next one may begin before this one is known to have ended. */
  hold(): Hold {
    let locked = false;
    return {
      onLocked: (position) => {
        if (!locked) this.#holds += 1;
        locked = true;
        this.#advance(position);
      },
      release: (position = this.#position) => {
        if (locked) this.#holds -= 1;
        locked = false;
        this.#renew(position);
      },
    };
  }

  /** A promise once made stays true, so the last one is given where a newer one can't be had in time. */
  async current(): Promise<Position> {
    if (this.#holds > 0 || performance.now() < this.#freshUntil) return this.#position;
    this.#asking ??= this.#askPatiently();
    await this.#asking;
    return this.#position;
  }

  #advance(position: Position): void {
    this.#position = Math.max(this.#position, position);
  }

  #renew(position: Position): void {
    this.#advance(position);
    this.#freshUntil = performance.now() + freshMs;
  }

  /** Ends when there is an answer or patience is at its end; whoever comes after that, while it is still asked, need not wait. */
  #askPatiently(): Promise<void> {
    const asked = this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, patienceMs);
      asked.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  async #ask(): Promise<void> {
    const position = await this.#db.write(
      async (session) => {
        const { newest, turn } = await selectNewest(session);
        this.#succession.had(turn);
        return this.#clock.promise(newest);
      },
      { readsFirst: true },
    );
    this.#renew(position);
  }
}
