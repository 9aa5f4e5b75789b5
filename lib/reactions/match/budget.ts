import { measuringCpu } from '../cpu-time.ts';
import { ReactionFailure } from '../failure.ts';
import { type MemoryShare, mostForSearch } from '../memory.ts';
import type { MatchLimits } from '../types.ts';

/** For so many statements that may be read, one search in the database is permitted, and some in any case. */
const rowsPerSearch = 10;
const fewestSearches = 10;
/** Of each statement that may be read, so many combinations with others may be tried. */
const attemptsPerRow = 20;

/** What the search has in common with others. */
export interface SharedBudget {
  /** What it keeps is taken from this; it is for the caller to give back. */
  readonly memory: MemoryShare;
  /** Throws when no time is left; the search ends with that. */
  readonly requireTime: () => void;
  /** Is told for how long (ms) the processor has worked. */
  readonly spendTime: (milliseconds: number) => void;
}

/** What one trigger may cost in one reaction. */
export class MatchBudget {
  readonly #limits: MatchLimits;
  readonly #requireTime: () => void;
  readonly #spendTime: (milliseconds: number) => void;
  readonly #memory: MemoryShare;
  #heap: number;
  #rows: number;
  #searches: number;
  #bytes: number;
  #attempts: number;
  #matches: number;
  #milliseconds: number;

  constructor(limits: MatchLimits, { memory, requireTime, spendTime }: SharedBudget) {
    this.#limits = limits;
    this.#requireTime = requireTime;
    this.#spendTime = spendTime;
    this.#memory = memory;
    this.#heap = mostForSearch(limits);
    this.#rows = limits.reactionMaxCandidates;
    this.#searches = searchesWithin(limits);
    this.#bytes = limits.reactionMaxCandidateBytes;
    this.#attempts = limits.reactionMaxCandidates * attemptsPerRow;
    this.#matches = limits.reactionMaxMatches;
    this.#milliseconds = limits.reactionMaxMilliseconds;
  }

  /** How many bytes may still be read. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws ReactionFailure */
  spendSearch(condition: string): void {
    this.#requireTime();
    this.#searches -= 1;
    if (this.#searches >= 0) return;
    throw this.#beyond(searchesWithin(this.#limits), 'searches are needed', {
      condition,
      setting: 'a tenth of lrs.reactionMaxCandidates',
    });
  }

  /** Statements that were read, and their bytes. @throws ReactionFailure */
  spendRows(rows: number, bytes: number, condition: string): void {
    this.#rows -= rows;
    this.#bytes -= bytes;
    if (this.#rows < 0)
      throw this.#beyond(this.#limits.reactionMaxCandidates, 'statements must be looked at', {
        condition,
        setting: 'lrs.reactionMaxCandidates',
      });
    if (this.#bytes < 0) this.refuseBytes(condition);
  }

  /**
   * Takes memory for a statement that is kept for the condition: at once, or when the promise is fulfilled.
   * @param bytes as estimated.
   * @throws ReactionFailure, and the errors of `MemoryShare.take`.
   */
  keep(bytes: number, condition: string): Promise<void> | undefined {
    this.#heap -= bytes;
    if (this.#heap < 0)
      throw this.#beyond(mostForSearch(this.#limits), 'bytes of memory are needed', {
        condition,
        setting: 'three eighths of lrs.reactionMaxMemory',
      });
    return this.#memory.take(bytes);
  }

  /** Gives back what was taken for a statement that is not kept any more. */
  discard(bytes: number): void {
    this.#heap += bytes;
    this.#memory.give(bytes);
  }

  refuseBytes(condition: string): never {
    throw this.#beyond(this.#limits.reactionMaxCandidateBytes, 'bytes of statements must be read', {
      condition,
      setting: 'lrs.reactionMaxCandidateBytes',
    });
  }

  /** Does what takes time. */
  measured<T>(work: () => T): T {
    return measuringCpu(work, this.#spendTime);
  }

  /** Evaluates conditions, or finds out from them which statements to search for. @throws ReactionFailure */
  evaluate<T>(work: () => T): T {
    this.#requireTime();
    const result = measuringCpu(work, (milliseconds) => {
      this.#milliseconds -= milliseconds;
      this.#spendTime(milliseconds);
    });
    if (this.#milliseconds >= 0) return result;
    throw new ReactionFailure(
      'ReactionLimitError',
      `To evaluate the conditions for one trigger takes more than ${this.#limits.reactionMaxMilliseconds} ms (lrs.reactionMaxMilliseconds). Use fewer comparisons by \`like\`, or let the conditions name more of what the statements have in common.`,
      'evaluation',
    );
  }

  /** @throws ReactionFailure */
  spendAttempt(): void {
    this.#attempts -= 1;
    if (this.#attempts >= 0) return;
    throw new ReactionFailure(
      'ReactionLimitError',
      `For one trigger, more than ${this.#limits.reactionMaxCandidates * attemptsPerRow} combinations of statements must be tried (${attemptsPerRow} times lrs.reactionMaxCandidates). Let the conditions name more of what the statements have in common, or have the setting raised.`,
      'candidates',
    );
  }

  /** @throws ReactionFailure */
  spendMatch(): void {
    this.#matches -= 1;
    if (this.#matches >= 0) return;
    const { reactionMaxMatches: most } = this.#limits;
    throw new ReactionFailure(
      'ReactionLimitError',
      `One trigger completes more combinations of statements than permitted, each of which would make a statement: the limit is ${most} (lrs.reactionMaxMatches). Let the conditions name more of what the statements have in common.`,
    );
  }

  #beyond(
    most: number,
    what: string,
    { condition, setting }: { readonly condition: string; readonly setting: string },
  ): ReactionFailure {
    return new ReactionFailure(
      'ReactionLimitError',
      `For one trigger, more than ${most} ${what} to find those of the condition ${JSON.stringify(condition)} (${setting}). Narrow the condition further, e.g. by \`object.id\`, an identifier of an Agent or \`context.registration\`, compared by \`eq\` or among the identity paths, or have the setting raised.`,
      'candidates',
    );
  }
}

function searchesWithin({ reactionMaxCandidates }: MatchLimits): number {
  return Math.max(fewestSearches, Math.ceil(reactionMaxCandidates / rowsPerSearch));
}
