import { defineConfig } from 'vitest/config';

const browserTests = 'tests/browser/**/*.test.ts';
/** These ask every engine by themselves, so they are not run again for one. */
const onAllEngines = process.env.LRS_TEST_ENGINE === undefined ? [] : ['tests/http/admin/**'];

export default defineConfig({
  test: {
    globalSetup: ['tests/support/database-servers.ts', 'tests/support/disclosure/setup.ts'],
    reporters: ['default', './tests/support/summary-reporter.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      // Two at a time leave less of a small machine's two cores idle.
      {
        extends: true,
        test: { name: 'browser', include: [browserTests], maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['tests/**/*.test.ts'],
          exclude: [browserTests, ...onAllEngines],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
