/** The fraction of the budget for bodies of unauthenticated clients. */
const unauthenticatedPart = 1 / 8;

/** Counts the bytes of bodies. */
class Share {
  readonly #total: number;
  #used = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Replaces `held` bytes by `wanted` ones. A single body always fits: it has a limit of its own. */
  resize(held: number, wanted: number): boolean {
    const others = this.#used - held;
    if (others > 0 && others + wanted > this.#total) return false;
    this.#used = others + wanted;
    return true;
  }

  /** The same, even if it exceeds the budget. */
  force(held: number, wanted: number): void {
    this.#used += wanted - held;
  }
}

/** The memory budget of all request bodies of the process. Bodies of unauthenticated clients have a part of it. */
export class MemoryBudget {
  readonly #authenticated: Share;
  readonly #unauthenticated: Share;

  /** @param total bytes. */
  constructor(total: number) {
    const unauthenticated = Math.floor(total * unauthenticatedPart);
    this.#unauthenticated = new Share(unauthenticated);
    this.#authenticated = new Share(total - unauthenticated);
  }

  /** The account of one body, empty at first. */
  reserve(authenticated: boolean): Reservation {
    return new Reservation(authenticated ? this.#authenticated : this.#unauthenticated);
  }
}

/** The memory that one body uses. */
export class Reservation {
  readonly #share: Share;
  #held = 0;

  constructor(share: Share) {
    this.#share = share;
  }

  /** @returns whether the budget permits it; if not, nothing changes. */
  resize(bytes: number): boolean {
    const fits = this.#share.resize(this.#held, bytes);
    if (fits) this.#held = bytes;
    return fits;
  }

  /** Counts memory that is in use already, even if it exceeds the budget. */
  force(bytes: number): void {
    this.#share.force(this.#held, bytes);
    this.#held = bytes;
  }

  release(): void {
    this.force(0);
  }
}
