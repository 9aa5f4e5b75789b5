import { defineConfig } from 'vitest/config';
import { conditionLimit, testLimit } from './tests/support/time-limits.ts';

const browserTests = 'tests/browser/**/*.test.ts';
/** These ask every engine by themselves, or none, so they are not run again for one. */
const sameForAnEngine = [
  'tests/http/admin/**',
  'tests/http/web/**',
  'tests/http/oidc/{claims,forged-tokens,provider-outage,xapi}.test.ts',
  'tests/http/{broken-database,compression,deployment,open-doors,router,serverless-offline,workers}.test.ts',
  'tests/conformance/coverage.test.ts',
];
const left = process.env.LRS_TEST_ENGINE === undefined ? [] : sameForAnEngine;

export default defineConfig({
  test: {
    globalSetup: ['tests/support/database-servers.ts', 'tests/support/disclosure/setup.ts'],
    reporters: ['default', './tests/support/summary-reporter.ts'],
    pool: 'forks',
    testTimeout: testLimit,
    hookTimeout: testLimit,
    expect: { poll: { timeout: conditionLimit } },
    // Two at a time, also on two cores: a test mostly waits for a server, a database or a browser.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'browser', include: [browserTests], sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['tests/**/*.test.ts'],
          exclude: [browserTests, ...left],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
