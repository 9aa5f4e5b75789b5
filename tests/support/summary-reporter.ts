import { appendFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** What failed, a line each with the first line of the reason. */
function* failures(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Generator<string> {
  const reason = (errors: readonly { message: string }[] = []) =>
    errors[0]?.message.split('\n', 1)[0] ?? 'no reason given';
  const failed = (test: TestCase) => test.result().state === 'failed';
  for (const module of modules) {
    const name = `${module.project.name}: ${module.relativeModuleId}`;
    for (const suite of [module, ...module.children.allSuites()]) {
      const errors = suite.errors();
      if (errors.length > 0) yield `${name}: ${reason(errors)}`;
    }
    for (const test of module.children.allTests()) {
      if (failed(test)) yield `${name}: ${test.fullName}: ${reason(test.result().errors)}`;
    }
  }
  for (const error of unhandled) yield `outside of any test: ${reason([error])}`;
}

/**
 * Ends a run with one plain line, `N passed, N failed, N skipped`, and fails it when tests were skipped although
 * LRS_TEST_FORBID_SKIP is set, or when none ran. What failed is added to the file that LRS_TEST_FAILURES names, so that a
 * long output can end with it.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.LRS_TEST_FAILURES;
    if (file) for (const line of failures(modules, unhandled)) appendFileSync(file, `${line}\n`);
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
    }
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    const skipped = counts.skipped + counts.pending;
    if (skipped > 0 && process.env.LRS_TEST_FORBID_SKIP) {
      process.stdout.write(`${skipped} tests were skipped, and LRS_TEST_FORBID_SKIP forbids that.\n`);
      process.exitCode = 1;
    }
    if (counts.passed + counts.failed === 0) process.exitCode = 1;
  }
}
