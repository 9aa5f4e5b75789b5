import type { CompiledCondition, CompiledRuleset } from './compiled.ts';
import type { Match } from './participant.ts';

/** Whether there could be a statement for a condition beside the chosen ones. */
export type IsPossible = (condition: string, chosen: Match) => boolean;

/** A combination for which a condition finds no statement. */
export interface DeadEnd {
  readonly chosen: Match;
  /** The place of the first condition that the trigger satisfies. */
  readonly first: number;
  readonly condition: CompiledCondition;
}

/** So many dead ends are looked at for the nearest. */
const mostDeadEnds = 1000;

/** Remembers which of the dead ends of a search is the nearest to a match. */
export class DeadEnds {
  readonly #names: readonly string[];
  readonly #isPossible: IsPossible | undefined;
  #looked = 0;
  #nearest: DeadEnd | undefined;

  /** @param isPossible without it, none is remembered. */
  constructor({ conditions }: Pick<CompiledRuleset, 'conditions'>, isPossible: IsPossible | undefined) {
    this.#names = conditions.map(({ name }) => name);
    this.#isPossible = isPossible;
  }

  get nearest(): DeadEnd | undefined {
    return this.#nearest;
  }

  note(end: DeadEnd): void {
    if (this.#isPossible === undefined || end.chosen.size <= (this.#nearest?.chosen.size ?? 0)) return;
    this.#looked += 1;
    if (this.#looked <= mostDeadEnds && this.isHopeful(end.chosen)) this.#nearest = end;
  }

  /** Whether there could be statements for all other conditions. */
  isHopeful(chosen: Match): boolean {
    return this.#names.every((name) => chosen.has(name) || this.#isPossible?.(name, chosen) !== false);
  }
}
