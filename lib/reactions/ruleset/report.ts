import type { Json } from '../../json/types.ts';
import type { Remark, RulesetProblem, RulesetRule, Warning, WarningRule } from '../types.ts';

/** So many problems, and so many warnings, are told at once. */
const maxRemarks = 50;

/** Collects what is to be said about a ruleset. */
export class Report {
  readonly #warnings: Warning[] = [];
  /** About members without effect. */
  readonly #ineffective: Warning[] = [];
  /** About members which mean nothing where they stand: beside problems they are likely the cause. */
  readonly unknown: Warning[] = [];
  readonly problems: RulesetProblem[] = [];
  #unlisted = 0;
  #warningCount = 0;

  /** How many more problems, and members that mean nothing, there are. */
  get unlisted(): number {
    return this.#unlisted;
  }

  /** Those about members without effect come last; where there are too many, one more says how many are left out. */
  get warnings(): readonly Warning[] {
    const listed = [...this.#warnings, ...this.#ineffective].slice(0, maxRemarks);
    const rest = this.#warningCount - listed.length;
    return rest === 0 ? listed : [...listed, unlistedRemark(rest, 'warning')];
  }

  /** Notes that the value at the place breaks a rule. @returns undefined, for the caller to return. */
  refuse(path: string, rule: RulesetRule, message: string): undefined {
    if (this.problems.length < maxRemarks) this.problems.push({ path, message, rule });
    else this.#unlisted += 1;
    return undefined;
  }

  /** Notes what is accepted, but hardly what was meant. */
  warn(path: string, rule: WarningRule, message: string): void {
    this.#warningCount += 1;
    const list = rule === 'unknown-member' || rule === 'unused-member' ? this.#ineffective : this.#warnings;
    if (list.length < maxRemarks) list.push({ path, message, rule });
  }

  /** Warns of a member that means nothing where it stands. */
  warnOfUnknown(path: string, rule: WarningRule, message: string): void {
    this.warn(path, rule, message);
    if (this.unknown.length < maxRemarks) this.unknown.push({ path, message, rule });
    else this.#unlisted += 1;
  }
}

/** Stands last in a list, for those that it leaves out. */
export function unlistedRemark(
  count: number,
  what: 'mistake' | 'warning',
): Remark & { readonly rule: 'unlisted' } {
  const counted = count === 1 ? `1 more ${what}, which is` : `${count} more ${what}s, which are`;
  return { path: '$', message: `has ${counted} not listed`, rule: 'unlisted' };
}

/** How a message begins about what is missing, or has the wrong type. */
export function toldOf(value: Json | undefined): string {
  return value === undefined ? 'is required:' : 'must be';
}
