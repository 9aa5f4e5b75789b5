/** For how long work of one kind is under way in this process, however much of it at the same moment. */
export class BusyTime {
  readonly #now: () => number;
  #underWay = 0;
  #since = 0;
  #total = 0;

  /** @param now milliseconds that pass evenly, from any beginning. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether some of the work is under way. */
  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  /** Milliseconds so far. */
  get milliseconds(): number {
    return this.#underWay === 0 ? this.#total : this.#total + this.#now() - this.#since;
  }

  /** Does some of the work. @throws what `work` throws. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay === 0) this.#since = this.#now();
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#total += this.#now() - this.#since;
    }
  }
}
