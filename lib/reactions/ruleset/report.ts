import type { Json } from '../../json/types.ts';
import type { RulesetProblem, RulesetRule, Warning, WarningRule } from '../types.ts';

/** So many problems, and so many warnings, are told at once. */
const maxRemarks = 50;

/** Collects what is to be said about a ruleset. */
export class Report {
  readonly warnings: Warning[] = [];
  /** Those of the warnings that are about members which mean nothing: beside problems they are likely the cause. */
  readonly unknown: Warning[] = [];
  readonly problems: RulesetProblem[] = [];
  #unlisted = 0;

  /** How many more problems, and members that mean nothing, there are. */
  get unlisted(): number {
    return this.#unlisted;
  }

  /** Notes that the value at the place breaks a rule. @returns undefined, for the caller to return. */
  refuse(path: string, rule: RulesetRule, message: string): undefined {
    if (this.problems.length < maxRemarks) this.problems.push({ path, message, rule });
    else this.#unlisted += 1;
    return undefined;
  }

  /** Notes what is accepted, but hardly what was meant. */
  warn(path: string, rule: WarningRule, message: string): void {
    if (this.warnings.length < maxRemarks) this.warnings.push({ path, message, rule });
  }

  /** Warns of a member that means nothing where it stands. */
  warnOfUnknown(path: string, rule: WarningRule, message: string): void {
    this.warn(path, rule, message);
    if (this.unknown.length < maxRemarks) this.unknown.push({ path, message, rule });
    else this.#unlisted += 1;
  }
}

/** How a message begins about what is missing, or has the wrong type. */
export function toldOf(value: Json | undefined): string {
  return value === undefined ? 'is required:' : 'must be';
}
