import type { Json } from '../../json/types.ts';
import type { CompiledRuleset } from '../match/compiled.ts';
import { withinEffort } from '../match/effort.ts';
import { type Chosen, compileCondition, isTrue } from '../match/evaluate.ts';
import { identityOf } from '../match/identity.ts';
import type { Participant } from '../match/match.ts';
import { valueAt } from '../match/value.ts';
import { placeBelow, shownPath } from '../ruleset/place.ts';
import type { NearMissReason } from '../service-types.ts';
import type { ClauseNode, ConditionNode } from '../types.ts';
import { type NamedCondition, sharedWith } from './partner.ts';
import { cut, shown } from './shown.ts';

/** Reasons that are shown of one near miss. */
const mostReasons = 10;

/** What there is to say about a condition that a statement does not fulfil. */
interface Finding {
  readonly reasons: readonly NearMissReason[];
  /** How many of its clauses hold. */
  readonly held: number;
  /** Whether one of those is about the Verb or the Object. */
  readonly isAboutSame: boolean;
}

/** A statement that fulfils a condition but for the clauses given, with how near it is. */
export interface RankedMiss {
  readonly trigger: string;
  readonly condition: string;
  readonly reasons: readonly NearMissReason[];
  readonly held: number;
}

/** Looks for the reasons in one part of a condition; the statement is chosen for the condition with the name. */
type Finder = (value: Json, chosen: Chosen) => Finding;

/** Says why statements trigger nothing. */
export class Explainer {
  readonly #compiled: CompiledRuleset;
  readonly #finders: readonly {
    readonly name: string;
    readonly find: Finder;
    /** Whether it says anything about the Verb or the Object. */
    readonly hasSubject: boolean;
  }[];

  constructor(compiled: CompiledRuleset) {
    const { conditions } = compiled.ruleset;
    const names = new Set(conditions.keys());
    this.#compiled = compiled;
    this.#finders = Array.from(conditions, ([name, node]) => ({
      name,
      find: finderOf(node, placeBelow('$.conditions', name), { name, names }),
      hasSubject: hasSubject(node),
    }));
  }

  /**
   * The clauses that do not hold, of each condition that the statement has to do with: its Verb or its Object is as the condition
   * wants it, or, where the condition wants neither, at least as many clauses hold as do not. Or, where the statement fulfils one, that the statements
   * are missing which the other conditions name. Clauses that compare with other statements count as fulfilled.
   * @throws ReactionFailure when that takes too many steps.
   */
  explain({ id, value }: Participant): RankedMiss[] {
    const findings = withinEffort(() =>
      this.#finders.map(({ name, find, hasSubject }) => ({
        ...{ name, hasSubject },
        ...find(value, new Map([[name, value]])),
      })),
    );
    const good = findings.filter(({ reasons }) => reasons.length === 0);
    const [first] = good;
    if (first === undefined) {
      return findings
        .filter(({ hasSubject, isAboutSame, held, reasons }) =>
          hasSubject ? isAboutSame : held > 0 && held >= reasons.length,
        )
        .map(({ name, reasons, held }) => missOf(id, name, { reasons, held }));
    }
    const held = good.reduce((sum, finding) => sum + finding.held, 0);
    const lacking = findings.filter(({ reasons }) => reasons.length > 0).map(({ name }) => name);
    return [missOf(id, first.name, { reasons: this.#withoutMatch(value, first.name, lacking), held })];
  }

  /**
   * @param fulfilled a condition that the statement fulfils.
   * @param lacking those that it does not fulfil itself.
   */
  #withoutMatch(value: Json, fulfilled: string, lacking: readonly string[]): readonly NearMissReason[] {
    const identity = identityOf(this.#compiled, value);
    if (identity === undefined) {
      const paths = this.#compiled.identity.map(({ path }) => JSON.stringify(shownPath(path)));
      return [{ ...reasonOf('$.identityPaths', 'identity'), expected: cut(`[${paths.join(',')}]`) }];
    }
    const partner = (name?: string): string | null =>
      sharedWith(identity, value, {
        fulfilled: this.#named(fulfilled),
        lacking: name === undefined ? undefined : this.#named(name),
      });
    if (lacking.length === 0) return [{ ...reasonOf('$.conditions', 'partner'), expected: partner() }];
    return lacking.map((name) => ({
      ...reasonOf(placeBelow('$.conditions', name), 'partner'),
      expected: partner(name),
    }));
  }

  #named(name: string): NamedCondition {
    const node = this.#compiled.ruleset.conditions.get(name);
    if (node === undefined) throw new Error(`There is no condition ${name}.`);
    return { name, node };
  }
}

function missOf(
  trigger: string,
  condition: string,
  { reasons, held }: Omit<Finding, 'isAboutSame'>,
): RankedMiss {
  return { trigger, condition, reasons: reasons.slice(0, mostReasons), held };
}

interface Subject {
  /** Of the condition. */
  readonly name: string;
  /** Of all conditions. */
  readonly names: ReadonlySet<string>;
}

const fulfilled: Finding = { reasons: [], held: 1, isAboutSame: false };

function isSubject({ path: [first, second], operand }: ClauseNode): boolean {
  return (first === 'verb' || first === 'object') && second === 'id' && operand.kind === 'value';
}

/** Whether the condition compares the id of the Verb or the Object with a value, other than by `not`. */
function hasSubject(node: ConditionNode): boolean {
  if (node.kind === 'clause') return isSubject(node);
  return node.kind !== 'not' && node.items.some(hasSubject);
}

function finderOf(node: ConditionNode, place: string, subject: Subject): Finder {
  switch (node.kind) {
    case 'clause': {
      const find = unless(node, subject, (value) => clauseReason(node, place, { ...subject, value }));
      return (value, chosen) => {
        const finding = find(value, chosen);
        return { ...finding, isAboutSame: isSubject(node) && finding.reasons.length === 0 };
      };
    }
    case 'not':
      return unless(node, subject, (value) => negatedReason(node.item, place, { ...subject, value }));
    case 'and': {
      const items = node.items.map((item, index) =>
        finderOf(item, placeBelow(`${place}.and`, index), subject),
      );
      return (value, chosen) => {
        const findings = items.map((find) => find(value, chosen));
        return {
          reasons: findings.flatMap(({ reasons }) => reasons),
          held: findings.reduce((sum, { held }) => sum + held, 0),
          isAboutSame: findings.some(({ isAboutSame }) => isAboutSame),
        };
      };
    }
    case 'or': {
      const items = node.items.map((item, index) =>
        finderOf(item, placeBelow(`${place}.or`, index), subject),
      );
      return (value, chosen) => {
        const findings = items.map((find) => find(value, chosen));
        const [best] = findings.toSorted(
          (one, other) => one.reasons.length - other.reasons.length || other.held - one.held,
        );
        return best ?? fulfilled;
      };
    }
  }
}

/** Nothing is to be said where the part of the condition holds, or may hold with other statements. */
function unless(node: ConditionNode, { names }: Subject, reason: (value: Json) => NearMissReason): Finder {
  const holds = compileCondition(node, names);
  return (value, chosen) =>
    (holds(value, chosen) & isTrue) !== 0
      ? fulfilled
      : { reasons: [reason(value)], held: 0, isAboutSame: false };
}

function clauseReason(
  { path, op, operand }: ClauseNode,
  place: string,
  { name, value }: Subject & { readonly value: Json },
): NearMissReason {
  const isOwn = operand.kind === 'reference' && operand.condition === name;
  const own = isOwn ? valueAt(value, operand.path) : undefined;
  const expected = operand.kind === 'value' ? operand.value : own;
  return { path: place, op, expected: shown(expected), found: shown(valueAt(value, path)) };
}

/** What is negated holds, or is unknown because the statement lacks a value. */
function negatedReason(
  item: ConditionNode,
  place: string,
  subject: Subject & { readonly value: Json },
): NearMissReason {
  if (item.kind !== 'clause') return reasonOf(place, 'not');
  const { op, ...reason } = clauseReason(item, place, subject);
  return { ...reason, op: `not ${op}` };
}

function reasonOf(path: string, op: string): NearMissReason {
  return { path, op, expected: null, found: null };
}
