import type { Database } from '../../db/types.ts';
import { mapInTurns } from '../../in-turns.ts';
import type { Position } from '../../statements/types.ts';
import { type CompiledRuleset, compileRuleset } from '../match/compiled.ts';
import { parseRuleset } from '../ruleset/parse.ts';
import { selectActive, selectEpoch, selectRulesets } from '../store/active-rows.ts';
import type { StoredReaction } from '../store/reaction-rows.ts';
import { Dispatch } from './dispatch.ts';

/** A reaction, ready to be triggered. */
export interface Reaction {
  readonly id: string;
  readonly version: number;
  /** Statements after this position trigger it. */
  readonly since: Position;
  readonly compiled: CompiledRuleset;
}

/** The reactions that are active, and the epoch in which that counts. */
export interface ActiveSet {
  readonly epoch: number | undefined;
  readonly dispatch: Dispatch<Reaction>;
}

/** Rulesets that are read at once. */
const readAtOnce = 50;

/** Those that are stored keep to limits that may have been lowered since, and to paths of either version. */
const noLimits = {
  reactionRulesetMaxBytes: Number.POSITIVE_INFINITY,
  reactionMaxConditions: Number.POSITIVE_INFINITY,
  reactionMaxClauses: Number.POSITIVE_INFINITY,
};

/**
 * @returns undefined for a ruleset that is none; none is stored.
 */
export function reactionOf({
  id,
  version,
  since,
  ruleset,
}: Pick<StoredReaction, 'id' | 'version' | 'since' | 'ruleset'>): Reaction | undefined {
  const check = parseRuleset(JSON.parse(ruleset), '2.0.0', noLimits);
  return 'ruleset' in check ? { id, version, since, compiled: compileRuleset(check.ruleset) } : undefined;
}

/** The active reactions, compiled once each. What another process changes counts from the next `refresh`. */
export class ActiveReactions {
  readonly #db: Database;
  #compiled = new Map<string, Reaction>();
  #current: ActiveSet = { epoch: undefined, dispatch: new Dispatch() };

  constructor(db: Database) {
    this.#db = db;
  }

  /** As of the last `refresh`. */
  get current(): ActiveSet {
    return this.#current;
  }

  /** Takes over what has changed in the database. */
  async refresh(): Promise<void> {
    const epoch = await this.#db.read(selectEpoch);
    if (epoch !== this.#current.epoch) this.#current = await this.#load();
  }

  async #load(): Promise<ActiveSet> {
    const { epoch, reactions } = await this.#db.read(selectActive);
    const compiled = new Map<string, Reaction>();
    const missing: string[] = [];
    for (const { id, version, since } of reactions) {
      const known = this.#compiled.get(id);
      if (known?.version === version) compiled.set(id, { ...known, since });
      else missing.push(id);
    }
    const sinceOf = new Map(reactions.map(({ id, since }) => [id, since]));
    for (let start = 0; start < missing.length; start += readAtOnce) {
      const rows = await this.#db.read((session) =>
        selectRulesets(session, missing.slice(start, start + readAtOnce)),
      );
      const made = await mapInTurns(rows, (row) => reactionOf({ ...row, since: sinceOf.get(row.id) ?? 0 }));
      for (const reaction of made) if (reaction !== undefined) compiled.set(reaction.id, reaction);
    }
    this.#compiled = compiled;
    const dispatch = new Dispatch<Reaction>();
    // In the order in which they were made.
    for (const { id } of reactions) {
      const reaction = compiled.get(id);
      if (reaction !== undefined) dispatch.add(reaction, reaction.compiled.conditions);
    }
    return { epoch, dispatch };
  }
}
