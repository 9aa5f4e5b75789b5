import { type TestName, testsIn } from '../requirement.ts';

/** What lrsql's reactions do, as of lrsql 0.9.6, and the tests that show what ours do. */
export interface Fact {
  /** The section, and the place in it: 2 rulesets, 3 running, 4 matching, 5 templates, 6 generated statements, 7 errors … */
  readonly id: string;
  /** In our words. */
  readonly text: string;
  readonly tests: readonly TestName[];
  /** Where ours differ on purpose. */
  readonly differs?: Difference;
}

/** A row of the table in `docs/reactions.md`, and why. */
export interface Difference {
  readonly lrsql: string;
  readonly here: string;
  readonly because: string;
}

/** The facts by themselves, over HTTP; each title begins with the section. */
export const facts = testsIn('http/admin/reaction-facts');
/** The routes, over HTTP. */
export const routes = testsIn('http/admin/reactions');
export const onEngines = testsIn('dialects/reactions');
/** Reactions as they are stored. */
export const stored = testsIn('dialects/reaction-store');
export const limits = testsIn('dialects/reaction-limits');
export const feedCost = testsIn('dialects/feed-cost');
export const configuration = testsIn('unit/config/config');

export interface FactOptions {
  readonly differs?: Difference;
  /** Unless the fact has a test of its own in `facts`. */
  readonly tests?: readonly TestName[];
}

export function fact(id: string, text: string, { tests, differs }: FactOptions = {}): Fact {
  return { id, text, tests: tests ?? [facts(`section ${id}: …`)], ...(differs && { differs }) };
}
