import { LrsError, TooLargeError } from '../errors.ts';

/** The size of a request. */
export interface Weight {
  /** Statements, documents. */
  readonly entries: number;
  /** Bytes. */
  readonly size: number;
}

export interface GroupLimits {
  /** The most that one group may contain; a larger request is written alone. */
  readonly group: Weight;
  /** Heavier requests are never grouped with lighter ones, and lighter ones overtake them. */
  readonly light: Weight;
}

/** A group exceeds a limit that is meant for one request; each of its requests is written alone. */
export class GroupTooLargeError extends Error {}

/**
 * Writes a group in one transaction and gives each request's answer in order.
 * @param next may be called as soon as the next group can be written behind this one.
 */
type WriteGroup<Request, Answer> = (
  group: readonly Request[],
  next: () => void,
) => Promise<readonly PromiseSettledResult<Answer>[]>;

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: requests that arrive while a transaction runs are written together in the next one. Each gets its own
 * answer, none before the commit. While light and heavy requests wait, groups of light ones and single heavy ones
 * alternate, so a light request waits for one heavy request at most, and neither kind starves. When a group fails for an
 * unexpected reason, or because something is too large, its requests are retried one by one, so that only the one that causes
 * the failure fails.
 */
export class GroupCommit<Request, Answer> {
  readonly #write: WriteGroup<Request, Answer>;
  readonly #weigh: (request: Request) => Weight;
  readonly #limits: GroupLimits;
  readonly #light: Waiting<Request, Answer>[] = [];
  readonly #heavy: Waiting<Request, Answer>[] = [];
  #lastWasLight = false;
  #running = false;

  constructor(options: {
    readonly write: WriteGroup<Request, Answer>;
    readonly weigh: (request: Request) => Weight;
    readonly limits: GroupLimits;
  }) {
    this.#write = options.write;
    this.#weigh = options.weigh;
    this.#limits = options.limits;
  }

  /** How many requests wait for the next transaction. */
  get waiting(): number {
    return this.#light.length + this.#heavy.length;
  }

  submit(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const isLight = fits(this.#weigh(request), this.#limits.light);
      (isLight ? this.#light : this.#heavy).push({ request, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      // Requests of the same turn of the event loop join the same group.
      setImmediate(() => this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#light.length + this.#heavy.length > 0) {
      const group = this.#takeGroup();
      await new Promise<void>((next) => this.#settleAll(group, next).finally(next));
    }
    this.#running = false;
  }

  async #settleAll(group: readonly Waiting<Request, Answer>[], next: () => void): Promise<void> {
    if ((await this.#settle(group, next)) || group.length === 1) return;
    for (const waiting of group) await this.#settle([waiting]);
  }

  #takeGroup(): Waiting<Request, Answer>[] {
    const takesLight = this.#heavy.length === 0 || (this.#light.length > 0 && !this.#lastWasLight);
    const queue = takesLight ? this.#light : this.#heavy;
    const isAlone = !takesLight && this.#lastWasLight;
    this.#lastWasLight = takesLight;
    return queue.splice(0, isAlone ? 1 : this.#countOfGroup(queue));
  }

  #countOfGroup(queue: readonly Waiting<Request, Answer>[]): number {
    let entries = 0;
    let size = 0;
    let count = 0;
    for (const { request } of queue) {
      const weight = this.#weigh(request);
      entries += weight.entries;
      size += weight.size;
      if (count > 0 && !fits({ entries, size }, this.#limits.group)) break;
      count += 1;
    }
    return count;
  }

  /** @returns false when the group failed as a whole and its requests, if several, have no answer yet. */
  async #settle(group: readonly Waiting<Request, Answer>[], next = () => {}): Promise<boolean> {
    try {
      const answers = await this.#write(
        group.map(({ request }) => request),
        next,
      );
      group.forEach(({ resolve, reject }, index) => {
        const answer = answers[index];
        if (answer?.status === 'fulfilled') resolve(answer.value);
        else reject(answer?.reason);
      });
      return true;
    } catch (error) {
      const isOfOne = error instanceof TooLargeError || !(error instanceof LrsError);
      if (group.length > 1 && isOfOne) return false;
      for (const { reject } of group) reject(error);
      return true;
    }
  }
}

function fits({ entries, size }: Weight, limit: Weight): boolean {
  return entries <= limit.entries && size <= limit.size;
}
