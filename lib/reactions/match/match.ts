import { Pauses } from '../../in-turns.ts';
import type { Json } from '../../json/types.ts';
import type { CandidatePage, CandidateRange } from '../../statements/candidates.ts';
import type { Position } from '../../statements/types.ts';
import type { Operand } from '../types.ts';
import type { MatchBudget } from './budget.ts';
import type { CompiledCondition, CompiledRuleset } from './compiled.ts';
import { withinEffort } from './effort.ts';
import { isTrue } from './evaluate.ts';
import { type Identity, identityOf } from './identity.ts';
import { type Lookup, lookupOf } from './lookup.ts';
import { valueAt } from './value.ts';

/** A stored statement that may take part in a match. */
export interface Participant {
  readonly position: Position;
  /** In lower case. */
  readonly id: string;
  /** JSON, as it is stored. */
  readonly text: string;
  /** The same parsed. */
  readonly value: Json;
}

/** The statement of each condition, by name in the order of the ruleset. */
export type Match = ReadonlyMap<string, Participant>;

/** Where candidates come from. */
export interface CandidateSource {
  /** Some of the statements that a lookup finds, newest first. */
  read(lookup: Lookup, range: CandidateRange): Promise<CandidatePage>;
}

/** What a search for matches works with. */
export interface MatchContext {
  readonly source: CandidateSource;
  readonly budget: MatchBudget;
}

export function participant({
  position,
  text,
}: {
  readonly position: Position;
  readonly text: string;
}): Participant {
  const value: Json = JSON.parse(text);
  return { position, text, value, id: String(valueAt(value, ['id'])).toLowerCase() };
}

/** Whether a statement may complete a match: it has an identity, and a condition may be true for it. Nothing else is read. */
export function mayTrigger(compiled: CompiledRuleset, trigger: Participant): boolean {
  if (identityOf(compiled, trigger.value) === undefined) return false;
  return withinEffort(() => compiled.conditions.some((condition) => mayHold(condition, trigger, new Map())));
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
  const identity = identityOf(compiled, trigger.value);
  if (identity === undefined) return [];
  const search = new MatchSearch(compiled, { trigger, identity, ...context });
  return search.run();
}

type Chosen = ReadonlyMap<string, Participant>;

/** To be called within the effort of one evaluation, which all conditions share. */
function mayHold(condition: CompiledCondition, { value }: Participant, chosen: Chosen): boolean {
  const values = new Map(Array.from(chosen, ([name, { value: each }]) => [name, each] as const));
  values.set(condition.name, value);
  return (condition.holds(value, values) & isTrue) !== 0;
}

class MatchSearch {
  readonly #compiled: CompiledRuleset;
  readonly #context: MatchContext & { readonly trigger: Participant; readonly identity: Identity };
  readonly #matches: Match[] = [];
  readonly #found = new Map<string, readonly Participant[]>();
  readonly #pauses = new Pauses();

  constructor(
    compiled: CompiledRuleset,
    context: MatchContext & { readonly trigger: Participant; readonly identity: Identity },
  ) {
    this.#compiled = compiled;
    this.#context = context;
  }

  /** The first condition that the trigger satisfies in a match tells it from the others, so that each is found once. */
  async run(): Promise<Match[]> {
    const { trigger } = this.#context;
    const { conditions } = this.#compiled;
    const held = withinEffort(() => conditions.map((condition) => mayHold(condition, trigger, new Map())));
    for (const [first, condition] of conditions.entries()) {
      if (held[first]) await this.#extend(new Map([[condition.name, trigger]]), first);
    }
    return this.#matches;
  }

  /** @param first the place of the first condition that the trigger satisfies. */
  async #extend(chosen: Chosen, first: number): Promise<void> {
    const next = this.#next(chosen);
    if (next === undefined) {
      this.#context.budget.spendMatch();
      const names = this.#compiled.conditions.map(({ name }) => name);
      this.#matches.push(
        new Map(names.flatMap((name) => [[name, chosen.get(name)]] as [string, Participant][])),
      );
      return;
    }
    const { condition, place, lookup } = next;
    const { trigger, budget } = this.#context;
    const candidates = await this.#candidates(condition, lookup);
    for (const candidate of place > first ? [trigger, ...candidates] : candidates) {
      budget.spendAttempt();
      const pause = this.#pauses.pause();
      if (pause !== undefined) await pause;
      const extended = new Map(chosen).set(condition.name, candidate);
      if (budget.spendTime(() => this.#isPossible(condition, extended))) await this.#extend(extended, first);
    }
  }

  /** The condition for which a statement is chosen next: the one that is looked up best. */
  #next(
    chosen: Chosen,
  ): { readonly condition: CompiledCondition; readonly place: number; readonly lookup: Lookup } | undefined {
    const open = [...this.#compiled.conditions.entries()].filter(([, { name }]) => !chosen.has(name));
    const steps = open.map(([place, condition]) => ({
      condition,
      place,
      lookup: lookupOf(condition.constraints, this.#context.identity.known, (operand) =>
        resolve(operand, chosen),
      ),
    }));
    return steps.toSorted((one, other) => costOf(one.lookup) - costOf(other.lookup))[0];
  }

  /** Whether the conditions that are chosen for may still be true together, of which one is new. */
  #isPossible(condition: CompiledCondition, chosen: Chosen): boolean {
    const statement = chosen.get(condition.name);
    if (statement === undefined || !this.#context.identity.has(statement.value)) return false;
    return withinEffort(() => {
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
    const key = `${condition.name} ${lookupKey(lookup)}`;
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
        const pause = this.#pauses.pause();
        if (pause !== undefined) await pause;
        const candidate = participant(statement);
        const fits = budget.spendTime(
          () => identity.has(candidate.value) && withinEffort(() => mayHold(condition, candidate, new Map())),
        );
        if (fits) found.push(candidate);
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

/** The less, the fewer statements it usually finds. */
function costOf(lookup: Lookup): number {
  const ways = ['none', 'id', 'target', 'filters', 'all'];
  const way = ways.indexOf(lookup.by) * 100;
  return lookup.by === 'filters' ? way - lookup.filters.length : way;
}

function lookupKey(lookup: Lookup): string {
  if (lookup.by !== 'filters') return 'id' in lookup ? `${lookup.by} ${lookup.id}` : lookup.by;
  return lookup.filters.map((filter) => filter.map(({ key }) => key).join('|')).join(' ');
}
