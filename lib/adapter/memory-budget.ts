/** The part of the memory that bodies of unknown senders may take. */
const unauthenticatedPart = 1 / 8;

/** Counts the bytes of some bodies. */
class Share {
  readonly #total: number;
  #used = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Replaces `held` bytes by `wanted` ones. A body that is alone fits whatever its size: it has a limit of its own. */
  resize(held: number, wanted: number): boolean {
    const others = this.#used - held;
    if (others > 0 && others + wanted > this.#total) return false;
    this.#used = others + wanted;
    return true;
  }

  /** The same, whether or not it fits. */
  force(held: number, wanted: number): void {
    this.#used += wanted - held;
  }
}

/** The memory that the bodies of all requests of the process may take. What unknown senders send has a part of its own. */
export class MemoryBudget {
  readonly #authenticated: Share;
  readonly #unauthenticated: Share;

  /** @param total bytes. */
  constructor(total: number) {
    const unauthenticated = Math.floor(total * unauthenticatedPart);
    this.#unauthenticated = new Share(unauthenticated);
    this.#authenticated = new Share(total - unauthenticated);
  }

  /** The memory of one body, of which there is none yet. */
  reserve(authenticated: boolean): Reservation {
    return new Reservation(authenticated ? this.#authenticated : this.#unauthenticated);
  }
}

/** The memory that one body holds. */
export class Reservation {
  readonly #share: Share;
  #held = 0;

  constructor(share: Share) {
    this.#share = share;
  }

  /** @returns whether the budget has so many bytes; if not, what is held stays the same. */
  resize(bytes: number): boolean {
    const fits = this.#share.resize(this.#held, bytes);
    if (fits) this.#held = bytes;
    return fits;
  }

  /** Counts what is in memory already, whether or not the budget has so much. */
  force(bytes: number): void {
    this.#share.force(this.#held, bytes);
    this.#held = bytes;
  }

  release(): void {
    this.force(0);
  }
}
