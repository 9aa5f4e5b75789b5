import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run with one plain line, `N passed, N failed, N skipped`, and fails it when tests were skipped although
 * LRS_TEST_FORBID_SKIP is set, or when none ran.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
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
