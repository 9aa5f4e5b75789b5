import type { Database } from '../../db/types.ts';
import { mapInTurns } from '../../in-turns.ts';
import type { Position } from '../../statements/types.ts';
import { type CompiledRuleset, compileRuleset } from '../match/compiled.ts';
import { parseRuleset } from '../ruleset/parse.ts';
import { selectActive, selectEpoch, selectRulesets } from '../store/active-rows.ts';
import type { StoredReaction } from '../store/reaction-rows.ts';
import { selectSlow } from '../store/slow-reactions.ts';
import { Dispatch } from './dispatch.ts';

/** A compiled reaction. */
export interface Reaction {
  readonly id: string;
  readonly version: number;
  /** Statements after this position trigger it. */
  readonly since: Position;
  readonly compiled: CompiledRuleset;
}

/** The active reactions, and the epoch in which this list is valid. */
export interface ActiveSet {
  readonly epoch: number | undefined;
  /** Those that are served together. */
  readonly dispatch: Dispatch<Reaction>;
  /** By id, those that are served alone because they are slow. */
  readonly slow: ReadonlyMap<string, SlowReaction>;
}

export interface SlowReaction {
  readonly reaction: Reaction;
  /** Knows this one only. */
  readonly dispatch: Dispatch<Reaction>;
}

/** The number of rulesets that are read at once. */
const readAtOnce = 50;

/**
 * Limits for stored rulesets: they may have been stored under higher limits, and may contain paths of either xAPI version.
 */
const noLimits = {
  reactionRulesetMaxBytes: Number.POSITIVE_INFINITY,
  reactionMaxConditions: Number.POSITIVE_INFINITY,
  reactionMaxClauses: Number.POSITIVE_INFINITY,
};

/** @returns undefined for an invalid ruleset; none is stored. */
export function reactionOf({
  id,
  version,
  since,
  ruleset,
}: Pick<StoredReaction, 'id' | 'version' | 'since' | 'ruleset'>): Reaction | undefined {
  const check = parseRuleset(JSON.parse(ruleset), '2.0.0', noLimits);
  return 'ruleset' in check ? { id, version, since, compiled: compileRuleset(check.ruleset) } : undefined;
}

/** The active reactions, each compiled once. Changes by other processes take effect with the next `refresh`. */
export class ActiveReactions {
  readonly #db: Database;
  readonly #onChange: (ids: ReadonlySet<string>) => void;
  #compiled = new Map<string, Reaction>();
  #current: ActiveSet = { epoch: undefined, dispatch: new Dispatch(), slow: new Map() };
  #refreshed: Promise<void> = Promise.resolve();

  /** @param onChange is told the ids of all active reactions when they have changed. */
  constructor(db: Database, onChange: (ids: ReadonlySet<string>) => void) {
    this.#db = db;
    this.#onChange = onChange;
  }

  /** As of the last `refresh`. */
  get current(): ActiveSet {
    return this.#current;
  }

  /** Loads the changes from the database: one call after the other, so that no older list replaces a newer one. */
  refresh(): Promise<void> {
    const refreshed = this.#refreshed.then(() => this.#refresh());
    this.#refreshed = refreshed.catch(() => {});
    return refreshed;
  }

  async #refresh(): Promise<void> {
    const epoch = await this.#db.read(selectEpoch);
    if (epoch === this.#current.epoch) return;
    this.#current = await this.#load();
    this.#onChange(new Set(this.#compiled.keys()));
  }

  async #load(): Promise<ActiveSet> {
    const { epoch, reactions } = await this.#db.read(selectActive);
    // Read later, so a reaction that becomes slow or is so no more meanwhile has changed the epoch.
    const alone = await this.#db.read(selectSlow);
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
    const slow = new Map<string, SlowReaction>();
    // In the order of their creation.
    for (const { id } of reactions) {
      const reaction = compiled.get(id);
      if (reaction === undefined) continue;
      const own = alone.has(id) ? new Dispatch<Reaction>() : dispatch;
      own.add(reaction, reaction.compiled.conditions);
      if (own !== dispatch) slow.set(id, { reaction, dispatch: own });
    }
    return { epoch, dispatch, slow };
  }
}
