const swc = require('@swc/core');

// dependency-cruiser parses TypeScript with swc, and does not tell it which files contain JSX.
const { parseFileSync } = swc;
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') });

/*
 * Folders by the folder that they stand in, the lowest first: each imports only folders before it, so there is no cycle.
 * Files that stand in `lib` itself are below all of its folders, except the composition.
 */
const order = {
  lib: [
    'telemetry',
    'aws',
    'scanning',
    'json',
    'xapi',
    'db',
    'counts',
    'attachments',
    'rate-limits',
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
    'export',
    'erasure',
    'background',
    'stores',
    'http',
    'openapi',
    'transfer',
    'adapter',
  ],
  'lib/statements': ['search', 'ingest', 'commit'],
  'lib/reactions': ['ruleset', 'match', 'store', 'generate', 'engine', 'preview', 'replay'],
  'lib/http': ['gateways', 'html', 'steps'],
  functions: ['xapi', 'admin', 'ops', 'web', 'lambda'],
  'ui/src': ['observable', 'xapi', 'api', 'texts', 'components', 'session', 'sign-in', 'screens', 'frame'],
  'ui/src/screens': [
    'accounts',
    'activities',
    'agents',
    'audit',
    'credentials',
    'documents',
    'erase',
    'statements',
    'overview',
    'settings',
    'upload',
    'export',
    'reactions',
    'stores',
  ],
};

/** Below the composition (`lib/lrs.ts` and its parts), which puts their services together. */
const composed = order.lib.slice(0, order.lib.indexOf('http'));
const composition =
  '^lib/(lrs|function-lrs|lrs-gauges|services|database-options|store-config|store-move)\\.ts$';

const foldersInOrder = Object.entries(order).flatMap(([parent, folders]) => [
  ...folders.slice(0, -1).map((folder, index) => ({
    name: `${parent}/${folder}-imports-only-lower-folders`,
    severity: 'error',
    from: { path: `^${parent}/${folder}/` },
    to: { path: `^${parent}/(${folders.slice(index + 1).join('|')})/` },
  })),
  {
    name: `every-folder-of-${parent}-has-its-place`,
    comment: 'A new folder is added to the list above.',
    severity: 'error',
    from: { path: `^${parent}/[^/]+/`, pathNot: `^${parent}/(${folders.join('|')})/` },
    to: {},
  },
]);

/** What a module offers to others beside its `service`, `types` and `parameters`; its other files are private. */
const offered = {
  accounts: ['rules', 'schema', 'still-there', 'store'],
  activities: ['definition-reader', 'definitions', 'store'],
  agents: ['names', 'recorder', 'store'],
  attachments: ['bodies', 'content-store', 'hash', 'object-store', 'upload-store'],
  audit: [],
  auth: [],
  background: [],
  backup: ['new-file'],
  browse: ['kind-names'],
  credentials: ['schema', 'store'],
  csv: ['export', 'half-time', 'preview', 'property-paths'],
  documents: ['entity-tag', 'keys', 'kinds', 'list', 'store'],
  erasure: ['actor-ifi'],
  export: ['content-parts', 'format', 'gzip', 'lines', 'reader'],
  feed: ['consumer-store', 'event-store', 'status-reader'],
  'rate-limits': ['gcra', 'marks-store', 'network'],
  reactions: [
    'bodies',
    'examples',
    'ruleset/placeholder',
    'ruleset/shape',
    'service-types',
    'store/erased-ids',
  ],
  scanning: [],
  settings: [],
  statements: [
    'actor-statements',
    'candidates',
    'maintenance',
    'newest-position',
    'present',
    'reindex',
    'removal',
    'search-keys',
    'within',
    'write-limits',
  ],
  status: [],
  stores: ['address', 'bodies', 'count-by-state', 'one-by-server', 'unnamed-servers'],
};

const onlyWhatIsOffered = Object.entries(offered).map(([module, files]) => ({
  name: `${module}-only-through-what-it-offers`,
  severity: 'error',
  from: { path: '^(lib|functions|config|ui|scripts)/', pathNot: [`^lib/${module}/`, composition] },
  to: {
    path: `^lib/${module}/`,
    pathNot: `^lib/${module}/(service|types|parameters${files.map((file) => `|${file}`).join('')})\\.ts$`,
  },
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
    ...foldersInOrder,
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
      to: {
        pathNot: ['^lib/(json/|errors\\.ts$|generational-cache\\.ts$|text-map\\.ts$)', '^(node:)?buffer$'],
      },
    },
    {
      name: 'xapi-is-pure',
      comment:
        'lib/xapi is the specification: it imports only JSON, the error vocabulary, maps of texts and the search for near names.',
      severity: 'error',
      from: { path: '^lib/xapi/' },
      to: {
        pathNot: [
          '^lib/(xapi/|json/|errors\\.ts$|nearest\\.ts$|text-map\\.ts$)',
          '^node_modules/bcp-47/',
          '^(node:)?(crypto|buffer)$',
        ],
      },
    },
    ...onlyWhatIsOffered,
    {
      name: 'parts-of-statements-do-not-know-its-service',
      severity: 'error',
      from: { path: '^lib/statements/.+/' },
      to: { path: '^lib/statements/service\\.ts$' },
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
      name: 'only-its-loader-knows-sqlite3',
      comment:
        'Where the package is not installed, SQLite works with the driver of Node.js, in every program.',
      severity: 'error',
      from: {
        path: '^(bench|config|functions|lib|migrations|scripts|tests)/',
        pathNot: '^lib/db/dialects/sqlite/driver/load\\.ts$',
      },
      to: { path: '^node_modules/sqlite3/' },
    },
    {
      name: 'handlers-do-not-reach-storage',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: ['^lib/db/', '^migrations/', '^lib/.+/(reader|writer|store)[^/]*\\.ts$'] },
    },
    {
      name: 'only-the-wire-knows-http',
      comment:
        'Status codes, middleware and gateway events stay in lib/http, lib/adapter and functions; lib/openapi describes them, and lib/transfer/http is a client of other LRSs.',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/(http|adapter|openapi|transfer/http|lrs\\.ts)' },
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
      from: {
        pathNot: ['^tests/', '^scripts/conformance\\.ts$', '^bench/(import|lambda|lambda-rates)\\.ts$'],
      },
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
