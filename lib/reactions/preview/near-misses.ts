import type { CompiledRuleset } from '../match/compiled.ts';
import { withinEffort } from '../match/effort.ts';
import { type Identity, identityOf } from '../match/identity.ts';
import type { Unfinished } from '../match/match.ts';
import type { Participant } from '../match/participant.ts';
import { placeBelow, shownPath } from '../ruleset/place.ts';
import type { NearMissReason } from '../service-types.ts';
import { type Finder, finderOf, hasSubject } from './finder.ts';
import { sharedWith } from './partner.ts';
import { cut } from './shown.ts';

/** Reasons that are shown of one near miss. */
const mostReasons = 10;

/** A statement that fulfils a condition but for the clauses given, with how near it is. */
export interface RankedMiss {
  readonly trigger: string;
  readonly condition: string;
  readonly reasons: readonly NearMissReason[];
  /** How many clauses would have to turn out otherwise, or how many statements it lacks. */
  readonly lacks: number;
  /** Whether it has the Verb that the condition wants. */
  readonly hasVerb: boolean;
  readonly held: number;
}

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
   * wants it, or, where the condition wants neither, at least as many clauses hold as do not. Or, where the statement fulfils one,
   * the conditions that find nothing together with it. Clauses that compare with other statements count as fulfilled.
   * @param unfinished the combination with the statement that lacks least; undefined where there is none that could be completed.
   * @throws ReactionFailure when that takes too many steps.
   */
  explain({ id, value }: Participant, unfinished?: Unfinished): RankedMiss[] {
    const findings = withinEffort(() =>
      this.#finders.map(({ name, find, hasSubject }) => ({
        ...{ name, hasSubject },
        ...find(value, new Map([[name, value]])),
      })),
    );
    const good = findings.filter(({ lacks }) => lacks === 0);
    const [first] = good;
    if (first === undefined) {
      return findings
        .filter(({ hasSubject, isAboutSame, held, lacks }) =>
          hasSubject ? isAboutSame : held > 0 && held >= lacks,
        )
        .map(({ name, reasons, lacks, held, hasVerb }) =>
          missOf({ trigger: id, condition: name, reasons, lacks, held, hasVerb }),
        );
    }
    const held = good.reduce((sum, finding) => sum + finding.held, 0);
    const hasVerb = good.some((finding) => finding.hasVerb);
    const identity = identityOf(this.#compiled, value);
    if (identity === undefined) {
      const reasons = [this.#withoutIdentity()];
      return [missOf({ trigger: id, condition: first.name, reasons, lacks: 1, held, hasVerb })];
    }
    if (unfinished === undefined) return [];
    const { condition, lacking } = unfinished;
    const reasons = this.#withoutPartners(identity, unfinished);
    return [missOf({ trigger: id, condition, reasons, lacks: lacking.length, held, hasVerb })];
  }

  #withoutIdentity(): NearMissReason {
    const paths = this.#compiled.identity.map(({ path }) => JSON.stringify(shownPath(path)));
    return { path: '$.identityPaths', op: 'identity', expected: cut(`[${paths.join(',')}]`), found: null };
  }

  #withoutPartners(identity: Identity, { chosen, lacking: all }: Unfinished): NearMissReason[] {
    const { conditions } = this.#compiled.ruleset;
    return all.map((lacking) => ({
      path: placeBelow('$.conditions', lacking),
      op: 'partner',
      expected: sharedWith(identity, { chosen, lacking, conditions }),
      found: null,
    }));
  }
}

function missOf(miss: RankedMiss): RankedMiss {
  return { ...miss, reasons: miss.reasons.slice(0, mostReasons) };
}
