/*
 * The modules of `lib`, the lowest first: each imports only modules before it, so there is no cycle between them.
 * Files that stand in `lib` itself are below all modules, except the composition.
 */
const modules = [
  'aws',
  'json',
  'xapi',
  'db',
  'counts',
  'attachments',
  'accounts',
  'settings',
  'backup',
  'audit',
  'credentials',
  'auth',
  'agents',
  'activities',
  'statements',
  'documents',
  'csv',
  'browse',
  'feed',
  'reactions',
  'status',
  'erasure',
  'background',
  'http',
  'openapi',
  'adapter',
];
/** Below the composition (`lib/lrs.ts` and its parts), which puts their services together. */
const composed = modules.slice(0, modules.indexOf('background') + 1);
const composition = '^lib/(lrs|function-lrs|services|database-options)\\.ts$';

const onlyLowerModules = modules.map((module, index) => ({
  name: `${module}-imports-only-lower-modules`,
  severity: 'error',
  from: { path: `^lib/${module}/` },
  to: { path: `^lib/(${modules.slice(index + 1).join('|')})/` },
}));

/** The import directions of docs/ARCHITECTURE.md. @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...onlyLowerModules.slice(0, -1),
    {
      name: 'every-module-has-a-place',
      comment: 'A new folder of lib stands in the list of modules.',
      severity: 'error',
      from: { path: '^lib/[^/]+/', pathNot: `^lib/(${modules.join('|')})/` },
      to: {},
    },
    {
      name: 'modules-know-neither-the-composition-nor-the-configuration',
      severity: 'error',
      from: { path: [`^lib/(${composed.join('|')})/`, '^lib/[^/]+\\.ts$'], pathNot: composition },
      to: { path: [composition, '^config/'] },
    },
    {
      name: 'shared-files-are-below-all-modules',
      severity: 'error',
      from: { path: '^lib/[^/]+\\.ts$', pathNot: composition },
      to: { path: '^lib/[^/]+/', pathNot: '^lib/(json|xapi)/' },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(aws-lambda|\\.\\./dist/)' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(lib|functions|config|migrations)/',
        pathNot: ['/types\\.ts$', '\\.d\\.ts$'],
      },
      to: {},
    },
    {
      name: 'json-knows-nothing-of-xapi',
      severity: 'error',
      from: { path: '^lib/json/' },
      to: { pathNot: ['^lib/(json/|errors\\.ts$|generational-cache\\.ts$)', '^(node:)?buffer$'] },
    },
    {
      name: 'xapi-is-pure',
      comment:
        'lib/xapi is the specification: it imports only JSON, the error vocabulary and the search for near names.',
      severity: 'error',
      from: { path: '^lib/xapi/' },
      to: {
        pathNot: [
          '^lib/(xapi/|json/|errors\\.ts$|nearest\\.ts$)',
          '^node_modules/bcp-47/',
          '^(node:)?(crypto|buffer)$',
        ],
      },
    },
    {
      name: 'statements-only-through-their-root',
      comment: 'Other modules use what stands in lib/statements itself.',
      severity: 'error',
      from: { path: '^(lib|functions|config|ui|scripts)/', pathNot: '^lib/statements/' },
      to: { path: '^lib/statements/.+/' },
    },
    {
      name: 'statements-search-stands-alone',
      comment: 'Within lib/statements: commit may import ingest and search, ingest may import search.',
      severity: 'error',
      from: { path: '^lib/statements/search/' },
      to: { path: '^lib/statements/(ingest/|commit/|service\\.ts$)' },
    },
    {
      name: 'statements-ingest-knows-no-transaction',
      severity: 'error',
      from: { path: '^lib/statements/(ingest|commit)/' },
      to: { path: ['^lib/statements/(commit/|service\\.ts$)'], pathNot: '^lib/statements/$1/' },
    },
    {
      name: 'lib-does-not-know-the-handlers',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(functions|scripts|tests|bench)/' },
    },
    {
      name: 'config-values-only-in-the-composition',
      comment:
        'Services receive their settings as arguments; only lib/lrs.ts and entry points read the configuration.',
      severity: 'error',
      from: {
        path: '^(lib|functions)/',
        pathNot: ['^lib/lrs\\.ts$', '^functions/(lambda|migrate|background)\\b'],
      },
      to: { path: '^config/', pathNot: '^config/types\\.ts$' },
    },
    {
      name: 'only-storage-knows-sequelize',
      comment: 'The scratch databases of benchmarks and conformance runs are made beside the server.',
      severity: 'error',
      from: {
        path: '^(lib|functions|config|scripts)/',
        pathNot: ['^lib/db/', '/(reader|writer|store)[^/]*\\.ts$', '^scripts/scratch-database\\.ts$'],
      },
      to: { path: '^node_modules/(sequelize|sqlite3|umzug|pg|mariadb)/' },
    },
    {
      name: 'handlers-do-not-reach-storage',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: ['^lib/db/', '^migrations/', '/(reader|writer|store)[^/]*\\.ts$'] },
    },
    {
      name: 'only-the-wire-knows-http',
      comment:
        'Status codes, middleware and gateway events stay in lib/http, lib/adapter and functions; lib/openapi describes them.',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/(http|adapter|openapi|lrs\\.ts)' },
      to: { path: ['^lib/(http|adapter)/', '^node_modules/(@middy|@types/aws-lambda)/', '^(node:)?https?$'] },
    },
    {
      name: 'adapter-knows-no-route',
      severity: 'error',
      from: { path: '^lib/adapter/' },
      to: { path: ['^functions/', '^lib/(statements|accounts|credentials|auth|db)/'] },
    },
    {
      name: 'migrations-are-frozen',
      comment: 'A migration means the same in every release, so it takes nothing from outside.',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { pathNot: ['^migrations/', '^(node:)?[a-z]+$'] },
    },
    {
      name: 'nothing-imports-tests',
      comment: 'But docs/conformance.md is written from the requirements that stand beside the tests.',
      severity: 'error',
      from: { pathNot: ['^tests/', '^scripts/generate-conformance\\.ts$'] },
      to: { path: '^tests/', pathNot: '^tests/emulator/' },
    },
    {
      name: 'only-measurements-run-the-emulator',
      comment: 'The official suite and the benchmark run the packaged functions where the tests do.',
      severity: 'error',
      from: { pathNot: ['^tests/', '^scripts/conformance\\.ts$', '^bench/(import|lambda)\\.ts$'] },
      to: { path: '^tests/emulator/' },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      from: { path: '^(lib|functions|config|migrations|scripts/serve)' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
