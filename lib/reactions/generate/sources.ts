import type { Pausing } from '../../in-turns.ts';
import type { Json } from '../../json/types.ts';
import { parseStored } from '../../xapi/statement/stored-statement.ts';
import type { MatchBudget } from '../match/budget.ts';
import { type Match, type Participant, participantHeap } from '../match/participant.ts';
import type { Matched } from './template.ts';

interface Source {
  readonly source: Json;
  /** Bytes that are taken for it. */
  readonly heap: number;
}

/**
 * The statements of a match, parsed with their numbers as they were written. A statement usually takes part in many matches
 * in a row, so those of the latest match stay.
 */
export class Sources {
  readonly #budget: Pick<MatchBudget, 'keep' | 'discard' | 'measured'>;
  readonly #pauses: Pausing;
  #latest = new Map<Participant, Source>();

  /** @param budget of the search that has found the matches. */
  constructor(budget: Pick<MatchBudget, 'keep' | 'discard' | 'measured'>, pauses: Pausing) {
    this.#budget = budget;
    this.#pauses = pauses;
  }

  /** By the names of the conditions. @throws ReactionFailure when they take too much memory, and the errors of `MatchBudget.keep`. */
  async of(match: Match): Promise<Matched> {
    const before = this.#latest;
    this.#latest = new Map();
    for (const statement of match.values()) {
      const known = before.get(statement);
      if (known === undefined) continue;
      this.#latest.set(statement, known);
      before.delete(statement);
    }
    for (const { heap } of before.values()) this.#budget.discard(heap);
    const sources = new Map<string, Json>();
    for (const [name, statement] of match) {
      const { source } = this.#latest.get(statement) ?? (await this.#add(name, statement));
      sources.set(name, source);
    }
    return sources;
  }

  async #add(name: string, statement: Participant): Promise<Source> {
    const heap = participantHeap(statement);
    const room = this.#budget.keep(heap, name);
    if (room !== undefined) await room;
    const pause = this.#pauses.pause();
    if (pause !== undefined) await pause;
    const { source } = this.#budget.measured(() => parseStored(statement.text));
    const added = { source: source as unknown as Json, heap };
    this.#latest.set(statement, added);
    return added;
  }
}
