/** What a run of the official suite came to. */
export interface SuiteRun {
  /** Whether the suite reached its end. */
  readonly finished: boolean;
  /** How many tests have passed or failed, as the suite itself counts them. */
  readonly ran: number;
  readonly sections: readonly Section[];
  readonly failures: readonly Failure[];
}

/** A top-level group of tests. */
export interface Section {
  readonly title: string;
  readonly passed: number;
  readonly failed: number;
}

export interface Failure {
  /** Titles from the section down to the test. */
  readonly path: readonly string[];
  readonly error: string;
}

/** A test, or a group that has tests. */
interface Entry {
  readonly title: string;
  readonly status: string;
  readonly error: string | undefined;
  readonly tests: readonly Entry[];
}

/**
 * Reads the JSON log of a whole run. What is neither passed nor a group counts as failed, and so does a group with an error of its
 * own, which is that of a hook.
 * @throws Error when the text is no such log.
 */
export function readSuiteLog(text: string): SuiteRun {
  const log: unknown = JSON.parse(text);
  const summary = member(log, 'summary');
  const root = member(log, 'log');
  const sections = root === undefined ? [] : entryOf(root).tests;
  const outcomes = sections.map((section) => ({ title: section.title, ...outcomeOf(section, []) }));
  return {
    finished: member(log, 'state') === 'finished',
    ran: count(member(summary, 'passed')) + count(member(summary, 'failed')),
    sections: outcomes.map(({ title, passed, failures }) => ({ title, passed, failed: failures.length })),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

/** Why a run does not show conformance, one sentence each; none when it does. `floor` is the least number of tests. */
export function shortcomings(run: SuiteRun, floor: number): string[] {
  const problems: string[] = [];
  if (run.failures.length > 0) problems.push(`Failed tests: ${run.failures.length}.`);
  if (!run.finished) problems.push('The suite did not reach its end.');
  if (run.ran < floor) problems.push(`${run.ran} tests ran, but there must be at least ${floor}.`);
  return problems;
}

interface Outcome {
  readonly passed: number;
  readonly failures: readonly Failure[];
}

function outcomeOf(entry: Entry, above: readonly string[]): Outcome {
  const path = [...above, entry.title];
  if (entry.tests.length === 0 && entry.status === 'passed') return { passed: 1, failures: [] };
  const inner = entry.tests.map((test) => outcomeOf(test, path));
  const own =
    entry.tests.length === 0 || entry.error !== undefined
      ? [{ path, error: entry.error ?? 'The test did not end.' }]
      : [];
  return {
    passed: inner.reduce((sum, { passed }) => sum + passed, 0),
    failures: [...own, ...inner.flatMap(({ failures }) => failures)],
  };
}

function entryOf(value: unknown): Entry {
  const title = member(value, 'title');
  const error = member(value, 'error');
  const tests = member(value, 'tests') ?? [];
  if (typeof title !== 'string' || !Array.isArray(tests))
    throw new Error('The log has an entry without title.');
  return {
    title,
    status: String(member(value, 'status') ?? ''),
    error: error === undefined || error === null ? undefined : String(error),
    tests: tests.map(entryOf),
  };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
