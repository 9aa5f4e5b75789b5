import { LrsError } from '../errors.ts';

/** How much a request brings. */
export interface Weight {
  /** Statements, documents. */
  readonly entries: number;
  /** Bytes. */
  readonly size: number;
}

/** How much one group may hold; a single request may exceed it alone. */
export type GroupLimits = Weight;

/**
 * Writes a group in one transaction and gives each request's answer in order.
 * @param onCommitSent may be called as soon as the next group can be written behind this one.
 */
type WriteGroup<Request, Answer> = (
  group: readonly Request[],
  onCommitSent: () => void,
) => Promise<readonly PromiseSettledResult<Answer>[]>;

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes requests that arrive while a transaction runs together in the next one. Each gets its own answer, none before
 * the commit. When a group fails for a reason that nobody foresaw, its requests are tried one by one, so that only the
 * one that causes it fails.
 */
export class GroupCommit<Request, Answer> {
  readonly #write: WriteGroup<Request, Answer>;
  readonly #weigh: (request: Request) => Weight;
  readonly #limits: GroupLimits;
  #waiting: Waiting<Request, Answer>[] = [];
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

  submit(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      // What arrived in the same turn of the event loop goes into the same group.
      setImmediate(() => this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      await new Promise<void>((next) => this.#settleAll(group, next).finally(next));
    }
    this.#running = false;
  }

  async #settleAll(group: readonly Waiting<Request, Answer>[], onCommitSent: () => void): Promise<void> {
    if ((await this.#settle(group, onCommitSent)) || group.length === 1) return;
    for (const waiting of group) await this.#settle([waiting]);
  }

  #takeGroup(): Waiting<Request, Answer>[] {
    let entries = 0;
    let size = 0;
    let count = 0;
    for (const { request } of this.#waiting) {
      const weight = this.#weigh(request);
      entries += weight.entries;
      size += weight.size;
      if (count > 0 && (entries > this.#limits.entries || size > this.#limits.size)) break;
      count += 1;
    }
    const group = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return group;
  }

  /** @returns false when the group failed as a whole and its requests, if several, have no answer yet. */
  async #settle(group: readonly Waiting<Request, Answer>[], onCommitSent = () => {}): Promise<boolean> {
    try {
      const answers = await this.#write(
        group.map(({ request }) => request),
        onCommitSent,
      );
      group.forEach(({ resolve, reject }, index) => {
        const answer = answers[index];
        if (answer?.status === 'fulfilled') resolve(answer.value);
        else reject(answer?.reason);
      });
      return true;
    } catch (error) {
      if (group.length > 1 && !(error instanceof LrsError)) return false;
      for (const { reject } of group) reject(error);
      return true;
    }
  }
}
