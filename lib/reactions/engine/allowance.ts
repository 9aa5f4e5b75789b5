import type { Reaction } from './active-reactions.ts';

/** The time for a trigger is used up. */
export class AllowanceUsedUp extends Error {
  override readonly name = 'AllowanceUsedUp';
}

/** The time that all reactions to one trigger share; it starts now. */
export class Allowance {
  readonly #end: number;
  #slowest: { readonly reaction: Reaction; readonly milliseconds: number } | undefined;

  constructor(milliseconds: number) {
    this.#end = Date.now() + milliseconds;
  }

  /** The reaction that has taken the longest so far. */
  get slowest(): Reaction | undefined {
    return this.#slowest?.reaction;
  }

  /** @throws AllowanceUsedUp */
  readonly requireTime = (): void => {
    if (Date.now() >= this.#end) throw new AllowanceUsedUp('The reactions to one trigger take too long.');
  };

  /**
   * Does the work of a reaction and measures its time.
   * @throws the errors of `work`.
   */
  async measured<T>(reaction: Reaction, work: () => Promise<T>): Promise<T> {
    const start = Date.now();
    try {
      return await work();
    } finally {
      const milliseconds = Date.now() - start;
      if (milliseconds > (this.#slowest?.milliseconds ?? -1)) this.#slowest = { reaction, milliseconds };
    }
  }
}
