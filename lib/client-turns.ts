import { UnavailableError } from './errors.ts';
import { WaitingLine } from './waiting-line.ts';

/** Whose request a piece of work belongs to. */
export interface Client {
  /** The same for all requests that share a turn: those of one key pair from one network. Asked only where somebody waits. */
  readonly name: () => string;
  /**
   * Whether the client has closed the connection, or its side of it, which looks the same: usually nobody gets the answer any more.
   */
  readonly hasGone: () => boolean;
}

/**
 * Does so much work at once. What has to wait is done in turns, one piece of each client after another, and not at all for a client
 * that has gone meanwhile.
 */
export class ClientTurns {
  readonly #most: number;
  readonly #waiting = new WaitingLine<() => void>();
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** @throws UnavailableError when the client has gone while it waited. */
  async run<T>(client: Client | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running += 1;
    else await this.#wait(client);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #wait(client: Client | undefined): Promise<void> {
    await new Promise<void>((enter) => this.#waiting.join(client?.name() ?? '', enter));
    if (!client?.hasGone()) return;
    this.#leave();
    throw new UnavailableError('The client has closed its connection while the request waited.');
  }

  /** The place passes to the next one that waits. */
  #leave(): void {
    const next = this.#waiting.next();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
