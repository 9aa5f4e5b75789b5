import { Capacity } from '../capacity.ts';
import { Gate } from '../db/gate.ts';
import { UnavailableError } from '../errors.ts';

/** Runs a part of the work that takes much memory for a while. */
type InTurn = <T>(part: () => Promise<T>) => Promise<T>;

/**
 * Bodies of one size class, first come, first served: as many at once as fit into the room, or a larger one alone. They are
 * taken apart one after another: so the first is ready to be written while the next one is taken apart, and what is made on
 * the way and thrown away, which is dear to keep, is there once.
 */
class Lane {
  readonly #room: Capacity;
  readonly #reading = new Gate();

  /** @param room bytes. */
  constructor(room: number) {
    this.#room = new Capacity(room);
  }

  run<T>(bytes: number, work: (inTurn: InTurn) => Promise<T>): Promise<T> {
    return this.#room.run(bytes, () => work((part) => this.#reading.exclusive(part)));
  }
}

/** Bodies up to this size go past larger ones that wait. */
const smallBytes = 128 * 1024;
const smallRoom = 2 * 1024 * 1024;
const largeRoom = 4 * 1024 * 1024;
/**
 * Lets in as many bodies of statements as there is memory for: parsed and prepared, a body of tiny statements takes some
 * thirty times its size. Small ones have room of their own and never wait for a large one to be done.
 */
export class Intake {
  readonly #small = new Lane(smallRoom);
  readonly #large = new Lane(largeRoom);
  readonly #totalBytes: number;
  #total = 0;

  /** @param totalBytes what may be under way or wait; what comes beyond that is refused before it takes more memory. */
  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /**
   * Runs the work on a body of so many bytes when there is room for it.
   * @param work does the part of it that takes the body apart as its parameter says.
   * @throws UnavailableError when too much is waiting already.
   */
  async run<T>(bytes: number, work: (inTurn: InTurn) => Promise<T>): Promise<T> {
    if (this.#total > 0 && this.#total + bytes > this.#totalBytes) {
      throw new UnavailableError('Too many statements are waiting to be stored; try again in a moment.');
    }
    this.#total += bytes;
    try {
      return await (bytes <= smallBytes ? this.#small : this.#large).run(bytes, work);
    } finally {
      this.#total -= bytes;
    }
  }
}
