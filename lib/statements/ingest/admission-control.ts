import type { Client } from '../../client-turns.ts';
import { UnavailableError } from '../../errors.ts';
import { showGauge } from '../../telemetry/gauges.ts';
import { WaitingLine } from '../../waiting-line.ts';

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
 * The bodies of one size class: those of a client first come, first served, and the clients in turns. Admitted bodies fit into the
 * memory budget together, or a larger one is admitted alone; only one at a time is read. So one body is ready to be written
 * while the next is read, and the temporary memory of reading is needed once.
 */
class SizeClass {
  readonly #budget: number;
  readonly #waiting = new WaitingLine<Waiting>();
  /** The one whose turn it is, which waits until it fits. */
  #next: Waiting | undefined;
  #used = 0;
  #isReading = false;

  /** @param budget the memory budget in bytes. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /** @returns the place itself where it is free. */
  enter(bytes: number, client: Client | undefined): Place | Promise<Place> {
    const weight = Math.min(bytes, this.#budget);
    if (this.#next !== undefined || !this.#waiting.isEmpty || !this.#admits(weight)) {
      return new Promise((resolve) =>
        this.#waiting.join(client?.name() ?? '', { weight, enter: () => resolve(this.#placeOf(weight)) }),
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
    this.#next ??= this.#waiting.next();
    const next = this.#next;
    if (next === undefined || !this.#admits(next.weight)) return;
    this.#next = undefined;
    this.#begin(next.weight);
    next.enter();
  }
}

/** Size classes: the largest body of each, and the memory budget of all its bodies together, in bytes. */
const sizeClasses = [
  { largest: 16 * 1024, budget: 1024 * 1024 },
  { largest: 128 * 1024, budget: 2 * 1024 * 1024 },
  { largest: Number.POSITIVE_INFINITY, budget: 4 * 1024 * 1024 },
] as const;

/**
 * Admission control for request bodies of statements: admits as many as the memory budget permits. A body of tiny
 * statements takes about thirty times its size when it is parsed and prepared. The bodies of a size class have a budget of their own
 * and never wait for larger ones.
 */
export class AdmissionControl {
  readonly #classes = sizeClasses.map(({ largest, budget }) => ({ largest, bodies: new SizeClass(budget) }));
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
   * @param client whose body it is.
   * @throws UnavailableError when too much is waiting already.
   */
  async enter(bytes: number, client?: Client): Promise<Place> {
    if (this.#total > 0 && this.#total + bytes > this.#totalBytes) {
      throw new UnavailableError('Too many statements are waiting to be stored; try again in a moment.');
    }
    this.#total += bytes;
    this.#count += 1;
    const entered = this.#classOf(bytes).enter(bytes, client);
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

  #classOf(bytes: number): SizeClass {
    const found = this.#classes.find(({ largest }) => bytes <= largest);
    if (found === undefined) throw new Error(`No size class has bodies of ${bytes} bytes.`);
    return found.bodies;
  }
}
