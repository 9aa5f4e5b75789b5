import { type CacheUse, counted } from './cache-uses.ts';
import { mapKey } from './text-map.ts';

export interface CacheLimits {
  /** How many characters are remembered; one value that takes more than a hundredth of them is not. */
  readonly characters: number;
  /** After this long a value is forgotten; it may be remembered for up to twice as long. */
  readonly milliseconds: number;
}

/**
 * Values by key, remembered within bounds. They live in two generations: when the young one is full or old enough, it
 * becomes the old one, and what was in that is forgotten, however often it was asked for.
 */
export class ExpiringCache<Value> {
  readonly #limits: CacheLimits;
  readonly #use: CacheUse | undefined;
  readonly #now: () => number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #characters = 0;
  #bornAt: number;

  /**
   * @param now milliseconds since any moment.
   * @param use counts how often it is asked.
   */
  constructor(limits: CacheLimits, now: () => number = Date.now, use?: CacheUse) {
    this.#limits = limits;
    this.#use = use;
    this.#now = now;
    this.#bornAt = now();
  }

  get(key: string): Value | undefined {
    this.#age();
    const short = mapKey(key);
    return counted(this.#use, this.#young.get(short) ?? this.#old.get(short));
  }

  /** @param characters how many the value takes besides its key. */
  set(key: string, value: Value, characters = 0): void {
    const short = mapKey(key);
    const size = short.length + characters;
    if (size > this.#limits.characters / 100) return;
    this.#characters += size;
    if (this.#characters > this.#limits.characters / 2) this.#startGeneration(size);
    this.#young.set(short, value);
  }

  #age(): void {
    const age = this.#now() - this.#bornAt;
    if (age < this.#limits.milliseconds) return;
    this.#startGeneration(0);
    if (age >= 2 * this.#limits.milliseconds) this.#old = new Map();
  }

  #startGeneration(characters: number): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#characters = characters;
    this.#bornAt = this.#now();
  }
}
