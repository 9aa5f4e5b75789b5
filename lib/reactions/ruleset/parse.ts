import type { Json, JsonObject } from '../../json/types.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import type { ConditionNode, ParsedRuleset, ReactionPath, RulesetCheck, RulesetLimits } from '../types.ts';
import { type ClauseContext, clauseMembers, readClause } from './clause.ts';
import { warnOfContradictions } from './contradictions.ts';
import { isObject } from './json.ts';
import { isSinglePath, readScalarPath } from './path.ts';
import { placeBelow } from './place.ts';
import { Report, toldOf } from './report.ts';
import { checkTemplate } from './template.ts';
import { warnOfUnknown } from './unknown.ts';

/** How deep conditions may lie in each other. */
const maxDepth = 32;
/** Characters of the name of a condition: it is stored with each firing. */
const maxName = 255;
/** Longer names are cut in messages. */
const shownName = 80;

/** Those of the settings' defaults. */
export const defaultRulesetLimits: RulesetLimits = {
  reactionRulesetMaxBytes: 65_536,
  reactionMaxConditions: 10,
  reactionMaxClauses: 200,
};

/**
 * Checks a ruleset by the rules of `docs/reactions.md`.
 * @param version whose statements the paths lead into (`reactionVersion`).
 * @returns the ruleset with warnings of what is hardly meant, or what is wrong with it.
 */
export function parseRuleset(
  value: Json | undefined,
  version: XapiVersion,
  limits: RulesetLimits = defaultRulesetLimits,
): RulesetCheck {
  const report = new Report();
  const ruleset = new RulesetReader(report, version, limits).read(value);
  const { problems, warnings, unknown, unlisted } = report;
  return ruleset === undefined || problems.length > 0
    ? { problems, unknown, unlisted }
    : { ruleset, warnings };
}

class RulesetReader {
  readonly #report: Report;
  readonly #version: XapiVersion;
  readonly #limits: RulesetLimits;
  #clauses = 0;

  constructor(report: Report, version: XapiVersion, limits: RulesetLimits) {
    this.#report = report;
    this.#version = version;
    this.#limits = limits;
  }

  read(value: Json | undefined): ParsedRuleset | undefined {
    const report = this.#report;
    if (!isObject(value)) return report.refuse('$', 'structure', 'must be an object');
    const { reactionRulesetMaxBytes: bytes } = this.#limits;
    if (new TextEncoder().encode(JSON.stringify(value)).length > bytes) {
      return report.refuse(
        '$',
        'limit',
        `must not be larger than ${bytes} bytes (lrs.reactionRulesetMaxBytes)`,
      );
    }
    warnOfUnknown(value, { known: ['identityPaths', 'conditions', 'template'] }, '$', report);
    const identityPaths = this.#identityPaths(value.identityPaths);
    const conditions = this.#conditions(value.conditions);
    if (value.template === undefined)
      return report.refuse('$.template', 'structure', 'is required: the statement to be made');
    if (identityPaths === undefined || conditions === undefined) return undefined;
    if (identityPaths.length === 0 && conditions.size > 1) {
      report.warn(
        '$.identityPaths',
        'no-identity',
        'is empty, so statements of different people match together; name what they share, e.g. ["actor", "mbox"]',
      );
    }
    warnOfNameAlone(identityPaths, report);
    checkTemplate(value.template, { conditions, version: this.#version, report });
    return { identityPaths, conditions, template: value.template };
  }

  #identityPaths(value: Json | undefined): ReactionPath[] | undefined {
    const report = this.#report;
    const place = '$.identityPaths';
    if (!Array.isArray(value))
      return report.refuse(place, 'structure', `${toldOf(value)} an array of paths, which may be empty`);
    if (isSinglePath(value, this.#version))
      return report.refuse(place, 'path', `must be an array of paths: write ${JSON.stringify([value])}`);
    if (value.length > this.#limits.reactionMaxClauses)
      return report.refuse(
        place,
        'limit',
        `must not have more than ${this.#limits.reactionMaxClauses} paths (lrs.reactionMaxClauses)`,
      );
    const paths = value.map((path, index) =>
      readScalarPath(path, placeBelow(place, index), { report, version: this.#version }),
    );
    return paths.flatMap((checked) => (checked === undefined ? [] : [checked.path]));
  }

  #conditions(value: Json | undefined): ReadonlyMap<string, ConditionNode> | undefined {
    const report = this.#report;
    const place = '$.conditions';
    if (!isObject(value))
      return report.refuse(place, 'structure', `${toldOf(value)} an object of conditions by name`);
    const names = Object.keys(value);
    if (names.length === 0) return report.refuse(place, 'structure', 'must have at least one condition');
    const { reactionMaxConditions: most } = this.#limits;
    if (names.length > most) {
      return report.refuse(
        place,
        'limit',
        `must not have more than ${most} conditions (lrs.reactionMaxConditions)`,
      );
    }
    const context = { report, version: this.#version, conditions: new Set(names) };
    const nodes = new Map<string, ConditionNode>();
    for (const name of names) {
      if (name.length > maxName) {
        const at = placeBelow(place, name.slice(0, shownName));
        report.refuse(at, 'limit', `must not have a name of more than ${maxName} characters`);
        continue;
      }
      const node = this.#condition(value[name], placeBelow(place, name), { context, depth: 0 });
      if (node !== undefined) nodes.set(name, node);
    }
    return nodes;
  }

  #condition(value: Json | undefined, place: string, level: Level): ConditionNode | undefined {
    const report = this.#report;
    if (!isObject(value)) return this.#refuseCondition(place);
    if (level.depth > maxDepth)
      return report.refuse(place, 'limit', `must not lie deeper than ${maxDepth} conditions in each other`);
    const kind = kinds.find((name) => value[name] !== undefined);
    if (kind === undefined) return this.#clause(value, place, level.context);
    const members = [...kinds, ...clauseMembers];
    const explain = (name: string) =>
      members.includes(name) ? `has no effect beside \`${kind}\`` : undefined;
    warnOfUnknown(value, { known: [kind], explain }, place, report);
    const below = { ...level, depth: level.depth + 1 };
    if (kind === 'not') {
      const item = this.#condition(value.not, placeBelow(place, 'not'), below);
      return item && { kind, item };
    }
    return this.#list(kind, value[kind], placeBelow(place, kind), below);
  }

  #refuseCondition(place: string): undefined {
    const message = 'must be an object with `and`, `or`, `not`, or `path` and `op`';
    return this.#report.refuse(place, 'structure', message);
  }

  #list(kind: 'and' | 'or', value: Json | undefined, place: string, level: Level): ConditionNode | undefined {
    if (!Array.isArray(value) || value.length === 0)
      return this.#report.refuse(place, 'structure', 'must be an array of at least one condition');
    const items = value.map((item, index) => this.#condition(item, placeBelow(place, index), level));
    const read = items.flatMap((item) => item ?? []);
    if (kind === 'and') warnOfContradictions(read, this.#report);
    return { kind, items: read };
  }

  #clause(value: JsonObject, place: string, context: ClauseContext): ConditionNode | undefined {
    if (!clauseMembers.some((name) => value[name] !== undefined)) {
      warnOfUnknown(value, { known: [...kinds, ...clauseMembers] }, place, this.#report);
      return this.#refuseCondition(place);
    }
    this.#clauses += 1;
    const { reactionMaxClauses: most } = this.#limits;
    if (this.#clauses > most) {
      const message = `must not have more than ${most} comparisons (lrs.reactionMaxClauses)`;
      return this.#clauses === most + 1 ? this.#report.refuse('$.conditions', 'limit', message) : undefined;
    }
    return readClause(value, place, context);
  }
}

/** The index knows accounts by both their parts. */
function warnOfNameAlone(paths: readonly ReactionPath[], report: Report): void {
  const shown = new Set(paths.map((path) => path.join(' ')));
  for (const [index, path] of paths.entries()) {
    const isName = path.at(-1) === 'name' && path.at(-2) === 'account';
    if (!isName || shown.has([...path.slice(0, -1), 'homePage'].join(' '))) continue;
    report.warn(
      placeBelow('$.identityPaths', index),
      'account-name-alone',
      'is the same for accounts with one name on different home pages, and statements are found faster with the home page; add the path of `homePage`',
    );
  }
}

const kinds = ['and', 'or', 'not'] as const;

interface Level {
  readonly context: ClauseContext;
  readonly depth: number;
}
