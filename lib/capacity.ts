interface Waiting {
  readonly weight: number;
  readonly enter: () => void;
}

/** Runs as much work at once as there is room for, by weight, first come, first served. What is heavier than all of it goes alone. */
export class Capacity {
  readonly #total: number;
  #waiting: Waiting[] = [];
  #used = 0;

  constructor(total: number) {
    this.#total = total;
  }

  async run<T>(weight: number, work: () => Promise<T>): Promise<T> {
    const taken = Math.min(weight, this.#total);
    if (this.#waiting.length > 0 || !this.#fits(taken)) {
      await new Promise<void>((enter) => this.#waiting.push({ weight: taken, enter }));
    } else {
      this.#used += taken;
    }
    try {
      return await work();
    } finally {
      this.#used -= taken;
      this.#admitWaiting();
    }
  }

  #fits(weight: number): boolean {
    return this.#used + weight <= this.#total;
  }

  #admitWaiting(): void {
    let count = 0;
    for (const { weight, enter } of this.#waiting) {
      if (!this.#fits(weight)) break;
      this.#used += weight;
      count += 1;
      enter();
    }
    if (count > 0) this.#waiting = this.#waiting.slice(count);
  }
}
