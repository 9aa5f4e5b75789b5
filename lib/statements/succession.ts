/** For how long after its last turn a process takes it that no other one writes; milliseconds. */
const recently = 100;
/** For how long it does not, once it was wrong. */
const pause = 1000;

/**
 * Whether this process had the write lock last: then all that a transaction has to know of the database is known here. The
 * database counts the turns of all processes; whose turn is the next one after its own last one has had no other in between.
 */
export class Succession {
  readonly #now: () => number;
  #next: number | undefined;
  #until = Number.NEGATIVE_INFINITY;
  #from = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds since any moment. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The turn that the transaction which is about to be sent will have, if nobody comes in between; undefined if somebody may. */
  presume(): number | undefined {
    const now = this.#now();
    if (this.#next === undefined || now >= this.#until || now < this.#from) return undefined;
    const turn = this.#next;
    this.#next = turn + 1;
    return turn;
  }

  /** @param turn that of a transaction that presumed nothing, told while it has the lock; undefined where nobody counts. */
  had(turn: number | undefined): void {
    this.#next = turn === undefined ? undefined : turn + 1;
    this.#until = this.#now() + recently;
  }

  /** @param right whether all that a transaction presumed was so. */
  presumed(right: boolean): void {
    const now = this.#now();
    this.#until = now + recently;
    if (!right) this.#from = now + pause;
  }
}
