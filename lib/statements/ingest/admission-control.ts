import { UnavailableError } from '../../errors.ts';

/** A body that was let in. Its reading ends first, its stay at the latest when its statements are stored or refused. */
export interface Place {
  /** The body is read and prepared; the next one of its size class may be read. */
  endReading(): void;
  /** Releases what the body has reserved. To be called once. */
  leave(): void;
}

interface Waiting {
  readonly weight: number;
  readonly enter: () => void;
}

/**
 * Bodies of one size class, first come, first served: those let in fit into the room together, or one that is larger is there
 * alone, and one at a time is read. So the first is ready to be written while the next one is read, and the garbage of
 * reading, which is expensive to keep, exists once.
 */
class Lane {
  readonly #room: number;
  readonly #waiting: Waiting[] = [];
  #used = 0;
  #isReading = false;

  /** @param room bytes. */
  constructor(room: number) {
    this.#room = room;
  }

  async enter(bytes: number): Promise<Place> {
    const weight = Math.min(bytes, this.#room);
    if (this.#waiting.length > 0 || !this.#admits(weight)) {
      await new Promise<void>((enter) => this.#waiting.push({ weight, enter }));
    } else {
      this.#begin(weight);
    }
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
    return !this.#isReading && this.#used + weight <= this.#room;
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

/** Bodies up to this size go past larger ones that wait. */
const smallBytes = 128 * 1024;
const smallRoom = 2 * 1024 * 1024;
const largeRoom = 4 * 1024 * 1024;

/**
 * Admission control for bodies of statements: lets in as many as there is memory for. Parsed and prepared, a body of tiny
 * statements takes some thirty times its size. Small ones have room of their own and never wait for a large one.
 */
export class AdmissionControl {
  readonly #small = new Lane(smallRoom);
  readonly #large = new Lane(largeRoom);
  readonly #totalBytes: number;
  #total = 0;

  /** @param totalBytes of bodies that are let in or wait; what comes beyond that is refused before it takes more memory. */
  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /**
   * Reserves memory for a body of so many bytes and waits until it may be read.
   * @throws UnavailableError when too much is waiting already.
   */
  async enter(bytes: number): Promise<Place> {
    if (this.#total > 0 && this.#total + bytes > this.#totalBytes) {
      throw new UnavailableError('Too many statements are waiting to be stored; try again in a moment.');
    }
    this.#total += bytes;
    const { endReading, leave } = await (bytes <= smallBytes ? this.#small : this.#large).enter(bytes);
    return {
      endReading,
      leave: () => {
        this.#total -= bytes;
        leave();
      },
    };
  }
}
