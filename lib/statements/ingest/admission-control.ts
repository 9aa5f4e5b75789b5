import { UnavailableError } from '../../errors.ts';
import { showGauge } from '../../telemetry/gauges.ts';

/** An admitted body: call `endReading` when it is prepared, `leave` when its statements are stored or refused. */
export interface Place {
  /** Lets the next body of the size class be read. */
  endReading(): void;
  /** Releases the reserved memory. Call it once. */
  leave(): void;
}

interface Waiting {
  readonly weight: number;
  readonly enter: () => void;
}

/**
 * The bodies of one size class, first come, first served. Admitted bodies fit into the memory budget together, or a larger
 * one is admitted alone; only one at a time is read. So one body is ready to be written while the next is read, and the
 * temporary memory of reading is needed once.
 */
class SizeClass {
  readonly #budget: number;
  readonly #waiting: Waiting[] = [];
  #used = 0;
  #isReading = false;

  /** @param budget the memory budget in bytes. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /** @returns the place itself where it is free. */
  enter(bytes: number): Place | Promise<Place> {
    const weight = Math.min(bytes, this.#budget);
    if (this.#waiting.length > 0 || !this.#admits(weight)) {
      return new Promise((resolve) =>
        this.#waiting.push({ weight, enter: () => resolve(this.#placeOf(weight)) }),
      );
    }
    this.#begin(weight);
    return this.#placeOf(weight);
  }

  #placeOf(weight: number): Place {
    let reads = true;
    const endReading = (): void => {
      if (!reads) return;
      reads = false;
      this.#isReading = false;
      this.#admitNext();
    };
    const leave = (): void => {
      this.#used -= weight;
      if (reads) endReading();
      else this.#admitNext();
    };
    return { endReading, leave };
  }

  #admits(weight: number): boolean {
    return !this.#isReading && this.#used + weight <= this.#budget;
  }

  #begin(weight: number): void {
    this.#isReading = true;
    this.#used += weight;
  }

  #admitNext(): void {
    const [next] = this.#waiting;
    if (next === undefined || !this.#admits(next.weight)) return;
    this.#waiting.shift();
    this.#begin(next.weight);
    next.enter();
  }
}

/** The largest body, in bytes, that may overtake larger ones. */
const smallBytes = 128 * 1024;
const smallBudget = 2 * 1024 * 1024;
const largeBudget = 4 * 1024 * 1024;

/**
 * Admission control for request bodies of statements: admits as many as the memory budget permits. A body of tiny
 * statements takes about thirty times its size when it is parsed and prepared. Small bodies have a budget of their own and
 * never wait for a large one.
 */
export class AdmissionControl {
  readonly #small = new SizeClass(smallBudget);
  readonly #large = new SizeClass(largeBudget);
  readonly #totalBytes: number;
  readonly #gauges: readonly (() => void)[];
  #total = 0;
  #count = 0;

  /** @param totalBytes of bodies that are admitted or waiting; a body beyond that is refused at once. */
  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
    this.#gauges = [
      showGauge('admissionBytes', () => this.#total),
      showGauge('admissionRequests', () => this.#count),
    ];
  }

  /** Ends its gauges. */
  stop(): void {
    for (const end of this.#gauges) end();
  }

  /**
   * Reserves memory for a body of this many bytes and waits until it may be read.
   * @throws UnavailableError when too much is waiting already.
   */
  async enter(bytes: number): Promise<Place> {
    if (this.#total > 0 && this.#total + bytes > this.#totalBytes) {
      throw new UnavailableError('Too many statements are waiting to be stored; try again in a moment.');
    }
    this.#total += bytes;
    this.#count += 1;
    const entered = (bytes <= smallBytes ? this.#small : this.#large).enter(bytes);
    const { endReading, leave } = entered instanceof Promise ? await entered : entered;
    return {
      endReading,
      leave: () => {
        this.#total -= bytes;
        this.#count -= 1;
        leave();
      },
    };
  }
}
