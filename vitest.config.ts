import { defineConfig } from 'vitest/config';
import { conditionLimit, testLimit } from './tests/support/time-limits.ts';

const browserTests = 'tests/browser/**/*.test.ts';
const overHttp = ['tests/http/**/*.test.ts', 'tests/conformance/**/*.test.ts'];
/**
 * These run on every engine by themselves, or what they show does not depend on one: how connections, gateways, bundles and
 * the start behave.
 */
const sameOnEveryEngine = [
  'tests/http/{admin,oidc,web}/**',
  'tests/http/{broken-database,compression,deployment,entrances,hostile-connections,lambda,open-doors,router,without-database}.test.ts',
  'tests/http/{serve,serverless-offline,workers}.test.ts',
  'tests/conformance/coverage.test.ts',
];

const httpTestsOn = (name: string) => ({
  extends: true as const,
  test: {
    name: `HTTP on ${name}`,
    include: overHttp,
    exclude: sameOnEveryEngine,
    env: { LRS_TEST_ENGINE: name },
    sequence: { groupOrder: 1 },
  },
});

const allTestsOnce = [
  {
    extends: true as const,
    test: { name: 'browser', include: [browserTests], sequence: { groupOrder: 0 } },
  },
  {
    extends: true as const,
    test: {
      name: 'server',
      include: ['tests/**/*.test.ts'],
      exclude: [browserTests],
      env: { LRS_TEST_ENGINE: 'sqlite' },
      sequence: { groupOrder: 1 },
    },
  },
];

/** @param engine of the tests that speak HTTP: SQLite unless set, another one, or `every` one in one run. */
function projectsFor(engine = 'sqlite') {
  if (engine === 'sqlite') return allTestsOnce;
  return engine === 'every'
    ? [...allTestsOnce, ...['postgres', 'mariadb'].map(httpTestsOn)]
    : [httpTestsOn(engine)];
}

export default defineConfig({
  test: {
    globalSetup: ['tests/support/database-servers.ts', 'tests/support/disclosure/setup.ts'],
    reporters: ['default', './tests/support/summary-reporter.ts'],
    pool: 'forks',
    testTimeout: testLimit,
    hookTimeout: testLimit,
    expect: { poll: { timeout: conditionLimit } },
    // Three at a time, also on two cores: a test mostly waits for a server, a database or a browser.
    maxWorkers: 3,
    projects: projectsFor(process.env.LRS_TEST_ENGINE),
  },
});
