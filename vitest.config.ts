import { defineConfig } from 'vitest/config';
import { serverEngineNames } from './lib/db/dialects/facts.ts';
import { LongestFirst } from './tests/support/longest-first.ts';
import { conditionLimit, testLimit } from './tests/support/time-limits.ts';

const browserTests = 'tests/browser/**/*.test.ts';
const overHttp = ['tests/http/**/*.test.ts', 'tests/conformance/**/*.test.ts'];
/**
 * These run on every engine by themselves, or what they show does not depend on one: how connections, gateways, bundles, the
 * start, headers, monitoring and documents for people behave.
 */
const sameOnEveryEngine = [
  'tests/http/{admin,oidc,web}/**',
  'tests/http/{broken-database,compression,entrances,hostile-connections,without-credentials,router}.test.ts',
  'tests/http/{fetch,fetch-entry,function-bundles,serve,serverless-offline,workers}.test.ts',
  'tests/http/{container-image,credential-id,curl,first-steps,operator-command}.test.ts',
  'tests/http/{encoded-bodies,maintenance,metrics,monitoring,openapi,scanning,security-headers,traces}.test.ts',
  'tests/http/{special-names,statement-page,strict-version,transfer-commands,upload-commands}.test.ts',
  'tests/http/client-libraries/**',
  'tests/conformance/coverage.test.ts',
];

/** These replace modules, load some anew or need one as it is at first, so each has a process of its own, once for all engines. */
const ownProcess = [
  'tests/http/{deployment,lambda,lambda-all,lambda-feed,without-database}.test.ts',
  'tests/unit/adapter/unread.test.ts',
  'tests/unit/backup/new-file.test.ts',
  'tests/unit/db/retry.test.ts',
  'tests/unit/db/dialects/sqlite/driver.test.ts',
  'tests/unit/scripts/audited.test.ts',
  'tests/unit/transfer/sources/learning-locker-dump.test.ts',
  'tests/unit/ui/local-time.test.ts',
];

/** Files of tests that share processes, and with them the modules: loading these takes longer than most tests do. */
const sharedProcess = { isolate: false };

/** Stores have schemas, which the configuration refuses behind a pooler (`LRS_TEST_POOLER`). */
const withSchemas = process.env.LRS_TEST_POOLER ? ['tests/http/store*.test.ts'] : [];

const httpTestsOn = (name: string) => ({
  extends: true as const,
  test: {
    name: `HTTP on ${name}`,
    include: overHttp,
    exclude: [...sameOnEveryEngine, ...ownProcess, ...withSchemas],
    env: { LRS_TEST_ENGINE: name },
    ...sharedProcess,
  },
});

/** Tests of behaviour that also run through the bundles of the functions, in their process, as a deployment packs them. */
const throughFunctions = [
  'tests/http/{agents-activities,consistent-through,error-details,own-statements}.test.ts',
  'tests/http/documents/{documents,state}.test.ts',
  'tests/conformance/{attachments,statement-search,statements}.test.ts',
];

const packagedFunctions = {
  extends: true as const,
  test: {
    name: 'packaged functions',
    include: throughFunctions,
    env: { LRS_TEST_ENGINE: 'postgres', LRS_TEST_FUNCTIONS: 'packaged' },
    // Node itself runs the bundles, as they are.
    server: { deps: { external: [/\/lrs-lambda-[^/]+\/dist\//] } },
  },
};

const allTestsOnce = [
  {
    extends: true as const,
    // After all others, because these take both cores.
    test: { name: 'browser', include: [browserTests], ...sharedProcess, sequence: { groupOrder: 1 } },
  },
  {
    extends: true as const,
    test: {
      name: 'server',
      include: ['tests/**/*.test.ts'],
      exclude: [browserTests, ...ownProcess],
      env: { LRS_TEST_ENGINE: 'sqlite' },
      ...sharedProcess,
    },
  },
  {
    extends: true as const,
    test: {
      name: 'own process',
      include: ownProcess,
      env: { LRS_TEST_ENGINE: 'sqlite' },
    },
  },
];

/** @param engine of the tests that speak HTTP: SQLite unless set, another one, or `every` one in one run; `packaged`: only those through the bundles of the functions. */
function projectsFor(engine = 'sqlite') {
  if (engine === 'sqlite') return allTestsOnce;
  if (engine === 'packaged') return [packagedFunctions];
  return engine === 'every'
    ? [...allTestsOnce, ...serverEngineNames.map(httpTestsOn), packagedFunctions]
    : [httpTestsOn(engine)];
}

export default defineConfig({
  test: {
    globalSetup: [
      'tests/support/build.ts',
      'tests/support/database-servers.ts',
      'tests/support/disclosure/setup.ts',
    ],
    reporters: ['default', './tests/support/summary-reporter.ts'],
    pool: 'forks',
    testTimeout: testLimit,
    hookTimeout: testLimit,
    expect: { poll: { timeout: conditionLimit } },
    sequence: { sequencer: LongestFirst },
    // Four at a time, also on two cores: a test mostly waits for a server, a database or a browser.
    maxWorkers: 4,
    projects: projectsFor(process.env.LRS_TEST_ENGINE),
  },
});
