import type { RulesetProblem, RulesetRule, Warning, WarningRule } from '../types.ts';

/** So many problems, and so many warnings, are told at once. */
const maxRemarks = 50;

/** Collects what is to be said about a ruleset. */
export class Report {
  readonly warnings: Warning[] = [];
  /** Those of the warnings that are about members which mean nothing: beside problems they are likely the cause. */
  readonly unknown: Warning[] = [];
  readonly #problems: RulesetProblem[] = [];
  #moreProblems = 0;

  /** The first ones, and how many more there are. */
  get problems(): RulesetProblem[] {
    const more = this.#moreProblems;
    if (more === 0) return this.#problems;
    const message = `has ${more} more mistakes, which are not listed`;
    return [...this.#problems, { path: '$', message, rule: 'limit' }];
  }

  /** Notes that the value at the place breaks a rule. @returns undefined, for the caller to return. */
  refuse(path: string, rule: RulesetRule, message: string): undefined {
    if (this.#problems.length < maxRemarks) this.#problems.push({ path, message, rule });
    else this.#moreProblems += 1;
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
  }
}
