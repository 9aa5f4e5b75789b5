import type { Pausing } from '../../in-turns.ts';
import type { Json } from '../../json/types.ts';
import type { CandidatePage, CandidateRange } from '../../statements/candidates.ts';
import type { Position } from '../../statements/types.ts';
import { ReactionFailure } from '../failure.ts';
import type { Operand } from '../types.ts';
import { valueAt } from '../value.ts';
import type { MatchBudget } from './budget.ts';
import type { CompiledCondition, CompiledRuleset } from './compiled.ts';
import { type DeadEnd, DeadEnds, type IsPossible } from './dead-ends.ts';
import { withinEffort } from './effort.ts';
import { isTrue } from './evaluate.ts';
import { type Identity, identityOf } from './identity.ts';
import { costOf, type Lookup, lookupKey, lookupOf } from './lookup.ts';
import { type Match, type Participant, participant, participantHeap } from './participant.ts';

/** Statements that fit together, the trigger among them, but are not all that a match needs: as many as were found. */
export interface Unfinished {
  readonly chosen: Match;
  /** The condition that the trigger is chosen for. */
  readonly condition: string;
  /** The conditions for which there is no statement that fits the chosen ones, in the order of the ruleset; others may be open, too. */
  readonly lacking: readonly string[];
}

/** Where candidates come from. */
export interface CandidateSource {
  /** Some of the statements that a lookup finds, newest first. */
  read(lookup: Lookup, range: CandidateRange): Promise<CandidatePage>;
}

/** What a search for matches works with. */
export interface MatchContext {
  readonly source: CandidateSource;
  readonly budget: MatchBudget;
  /** Is asked before each evaluation. */
  readonly pauses: Pausing;
  /** What the conditions were for the trigger, where they have been evaluated for it already. */
  readonly held?: Held | undefined;
  /**
   * Whether there could be a statement for a condition beside the chosen ones. Where this is given, the search remembers what
   * comes nearest to a match; combinations that could never be completed are left out.
   */
  readonly isPossible?: IsPossible;
}

/** A search for the matches of one trigger. */
export interface Search {
  /** @throws ReactionFailure when a limit is exceeded or a condition can't be evaluated. */
  matches(): Promise<Match[]>;
  /** The combination of most statements, where there is no match: to be called after `matches`. */
  nearest(): Promise<Unfinished | undefined>;
}

/** Whether each condition, in the order of the ruleset, may be true for a statement. */
export type Held = readonly boolean[];

/**
 * What the conditions may be for a statement. Nothing else is read.
 * @returns undefined where it completes no match, because it has no identity or no condition may be true for it.
 * @throws ReactionFailure when that takes too many steps or a condition can't be evaluated.
 */
export function heldBy(compiled: CompiledRuleset, trigger: Participant): Held | undefined {
  if (identityOf(compiled, trigger.value) === undefined) return undefined;
  const held = withinEffort(() =>
    compiled.conditions.map((condition) => mayHold(condition, trigger, new Map())),
  );
  return held.includes(true) ? held : undefined;
}

/**
 * All combinations of stored statements, none newer than the trigger and the trigger among them, that satisfy the conditions
 * together, each once.
 * @throws ReactionFailure when a limit is exceeded or a condition can't be evaluated.
 */
export async function matchesOf(
  compiled: CompiledRuleset,
  trigger: Participant,
  context: MatchContext,
): Promise<Match[]> {
  return searchFor(compiled, trigger, context).matches();
}

/** The search that `matchesOf` makes, which can tell afterwards what comes nearest. */
export function searchFor(compiled: CompiledRuleset, trigger: Participant, context: MatchContext): Search {
  const identity = identityOf(compiled, trigger.value);
  if (identity === undefined) return { matches: async () => [], nearest: async () => undefined };
  return new MatchSearch(compiled, { trigger, identity, ...context });
}

type Chosen = DeadEnd['chosen'];

/** A condition for which a statement may be chosen next. */
interface Step {
  readonly condition: CompiledCondition;
  readonly place: number;
  readonly lookup: Lookup;
}

/** What is chosen for other conditions. */
interface Beside extends Pick<DeadEnd, 'chosen' | 'first'> {
  /** Whether the combination with one more statement will do. */
  readonly fits?: (extended: Chosen) => boolean;
}

/** To be called within the effort of one evaluation, which all conditions share. */
function mayHold(condition: CompiledCondition, { value }: Participant, chosen: Chosen): boolean {
  const values = new Map(Array.from(chosen, ([name, { value: each }]) => [name, each] as const));
  values.set(condition.name, value);
  return (condition.holds(value, values) & isTrue) !== 0;
}

class MatchSearch implements Search {
  readonly #compiled: CompiledRuleset;
  readonly #context: MatchContext & { readonly trigger: Participant; readonly identity: Identity };
  readonly #matches: Match[] = [];
  readonly #found = new Map<string, readonly Participant[]>();
  readonly #deadEnds: DeadEnds;

  constructor(
    compiled: CompiledRuleset,
    context: MatchContext & { readonly trigger: Participant; readonly identity: Identity },
  ) {
    this.#compiled = compiled;
    this.#context = context;
    this.#deadEnds = new DeadEnds(compiled, context.isPossible);
  }

  /** The first condition that the trigger satisfies in a match tells it from the others, so that each is found once. */
  async matches(): Promise<Match[]> {
    const { trigger } = this.#context;
    const held = this.#context.held ?? (await this.#heldByTrigger());
    for (const [first, condition] of this.#compiled.conditions.entries()) {
      if (held?.[first]) await this.#extend(new Map([[condition.name, trigger]]), first);
    }
    return this.#matches;
  }

  async #heldByTrigger(): Promise<Held | undefined> {
    const pause = this.#context.pauses.pause();
    if (pause !== undefined) await pause;
    return this.#context.budget.measured(() => heldBy(this.#compiled, this.#context.trigger));
  }

  async nearest(): Promise<Unfinished | undefined> {
    const nearest = this.#deadEnds.nearest;
    if (nearest === undefined) return undefined;
    const { first, condition: found } = nearest;
    const lacking = new Set([found.name]);
    let { chosen } = nearest;
    try {
      for (const step of this.#context.budget.evaluate(() => this.#steps(nearest.chosen))) {
        if (step.condition === found) continue;
        const fits = (extended: Chosen): boolean => this.#deadEnds.isHopeful(extended);
        const extended = await this.#firstOf(step, { chosen, first, fits });
        if (extended !== undefined) chosen = extended;
        else if ((await this.#firstOf(step, { chosen: nearest.chosen, first })) === undefined)
          lacking.add(step.condition.name);
      }
    } catch (error) {
      // The search itself was within its limits: what is known by now is told.
      if (!(error instanceof ReactionFailure)) throw error;
    }
    const names = this.#compiled.conditions.map(({ name }) => name);
    return { chosen, condition: names[first] ?? '', lacking: names.filter((name) => lacking.has(name)) };
  }

  /** The combination with the newest statement that a condition finds beside the chosen ones; undefined where it finds none. */
  async #firstOf(
    { condition, place, lookup }: Step,
    { chosen, first, fits = () => true }: Beside,
  ): Promise<Chosen | undefined> {
    const candidates = await this.#candidates(condition, lookup);
    for (const candidate of place > first ? [this.#context.trigger, ...candidates] : candidates) {
      const extended = await this.#extended(condition, chosen, candidate);
      if (extended !== undefined && fits(extended)) return extended;
    }
    return undefined;
  }

  /** @param first the place of the first condition that the trigger satisfies. */
  async #extend(chosen: Chosen, first: number): Promise<void> {
    const { budget } = this.#context;
    const next = budget.evaluate(() => this.#next(chosen));
    if (next === undefined) {
      budget.spendMatch();
      const names = this.#compiled.conditions.map(({ name }) => name);
      this.#matches.push(
        new Map(names.flatMap((name) => [[name, chosen.get(name)]] as [string, Participant][])),
      );
      return;
    }
    const { condition, place, lookup } = next;
    const candidates = await this.#candidates(condition, lookup);
    let isDeadEnd = true;
    for (const candidate of place > first ? [this.#context.trigger, ...candidates] : candidates) {
      const extended = await this.#extended(condition, chosen, candidate);
      if (extended === undefined) continue;
      isDeadEnd = false;
      await this.#extend(extended, first);
    }
    if (isDeadEnd) this.#deadEnds.note({ chosen, first, condition });
  }

  /** The combination with one more statement; undefined where they do not fit together. */
  async #extended(
    condition: CompiledCondition,
    chosen: Chosen,
    candidate: Participant,
  ): Promise<Chosen | undefined> {
    const { budget } = this.#context;
    budget.spendAttempt();
    const pause = this.#context.pauses.pause();
    if (pause !== undefined) await pause;
    const extended = new Map(chosen).set(condition.name, candidate);
    return budget.evaluate(() => this.#isPossible(condition, extended)) ? extended : undefined;
  }

  /** The condition for which a statement is chosen next: the one that is looked up best. */
  #next(chosen: Chosen): Step | undefined {
    return this.#steps(chosen).toSorted((one, other) => costOf(one.lookup) - costOf(other.lookup))[0];
  }

  #steps(chosen: Chosen): Step[] {
    const open = [...this.#compiled.conditions.entries()].filter(([, { name }]) => !chosen.has(name));
    return open.map(([place, condition]) => ({
      condition,
      place,
      lookup: lookupOf(condition.constraints, this.#context.identity.known, (operand) =>
        resolve(operand, chosen),
      ),
    }));
  }

  /** Whether the conditions that are chosen for may still be true together, of which one is new. */
  #isPossible(condition: CompiledCondition, chosen: Chosen): boolean {
    const statement = chosen.get(condition.name);
    if (statement === undefined) return false;
    return withinEffort(() => {
      if (!this.#context.identity.has(statement.value)) return false;
      if (!mayHold(condition, statement, chosen)) return false;
      return this.#compiled.conditions.every((other) => {
        const taken = chosen.get(other.name);
        return other === condition || taken === undefined || mayHold(other, taken, chosen);
      });
    });
  }

  /** Those that a condition may be true for, whatever else is chosen, older than the trigger. */
  async #candidates(condition: CompiledCondition, lookup: Lookup): Promise<readonly Participant[]> {
    if (lookup.by === 'none') return [];
    const key = this.#context.budget.evaluate(() => `${condition.name} ${lookupKey(lookup)}`);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = await this.#read(condition, lookup);
    this.#found.set(key, found);
    return found;
  }

  async #read(condition: CompiledCondition, lookup: Lookup): Promise<Participant[]> {
    const { source, budget, identity, trigger } = this.#context;
    const found: Participant[] = [];
    let before: Position | undefined = trigger.position;
    while (before !== undefined) {
      budget.spendSearch(condition.name);
      const page: CandidatePage = await source.read(lookup, { before, maxBytes: budget.bytes });
      if (page.tooLarge) budget.refuseBytes(condition.name);
      for (const statement of page.statements) {
        budget.spendRows(1, statement.text.length, condition.name);
        const pause = this.#context.pauses.pause();
        if (pause !== undefined) await pause;
        const candidate = budget.measured(() => participant(statement));
        const fits = budget.evaluate(() =>
          withinEffort(() => identity.has(candidate.value) && mayHold(condition, candidate, new Map())),
        );
        if (!fits) continue;
        const heap = budget.measured(() => participantHeap(candidate));
        const room = budget.keep(heap, condition.name);
        if (room !== undefined) await room;
        found.push(candidate);
      }
      before = page.before;
    }
    return found;
  }
}

function resolve(operand: Operand, chosen: Chosen): { readonly value: Json | undefined } | 'open' {
  if (operand.kind === 'value') return operand;
  const statement = chosen.get(operand.condition);
  return statement === undefined ? 'open' : { value: valueAt(statement.value, operand.path) };
}
