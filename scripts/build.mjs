import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildScreen, isScreenBuilt } from './build-screen.mjs';
import { builtinsOnUse, coreFirst } from './function-bundles.mjs';
import { ensureInstalled, root } from './installed.mjs';
import { sourcesHash } from './sources-hash.mjs';
import { provideDriverFor } from './sqlite-driver.mjs';
import { step } from './steps.mjs';

const dist = join(root, 'dist');
/** Says what the bundles were built from; it is there only while they are whole. */
const stamp = join(dist, '.built-from');

/** Entrances whose packages stay in node_modules. */
const tools = {
  serve: 'scripts/serve.ts',
  migrate: 'scripts/migrate.ts',
  backup: 'scripts/backup.ts',
  store: 'scripts/store.ts',
  lrs: 'scripts/lrs.ts',
  reindex: 'scripts/reindex.ts',
  import: 'scripts/import.ts',
  export: 'scripts/export.ts',
  'pack-settings': 'scripts/pack-settings.ts',
};

/** The functions of serverless.yml that work with the database. */
const databaseFunctions = [
  'statements',
  'resources',
  'administration',
  'all',
  'streaming',
  'background',
  'migrate',
];
const sourceOf = (name) => `functions/lambda/${name}.ts`;
const functionEntries = Object.fromEntries(
  [...databaseFunctions, 'screen'].map((name) => [`lambda-${name}`, sourceOf(name)]),
);
/** The entry for the Fetch API, and the threads that servers, functions and tools start from a file. */
const fetchEntry = { fetch: 'functions/fetch.ts' };
export const workerEntries = {
  'password-worker': 'lib/accounts/password-worker.mjs',
  'sqlite-worker': 'lib/db/dialects/sqlite/driver/sqlite-worker.mjs',
  'comparing-worker': 'lib/transfer/parity/comparing-worker.ts',
};

/**
 * How esbuild makes what is copied without node_modules: packages are bundled, except the native SQLite driver, and what is
 * loaded later lies in chunks. Names stay as they are, because errors tell theirs.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const selfContained = {
  splitting: true,
  minifyWhitespace: true,
  minifySyntax: true,
  external: [
    'sqlite3',
    'pg-hstore',
    'pg-native',
    'mysql2',
    'tedious',
    'oracledb',
    'snowflake-sdk',
    'ibm_db',
    'odbc',
  ],
};

/** @satisfies {import('esbuild').BuildOptions} */
const functions = {
  ...selfContained,
  entryPoints: functionEntries,
  chunkNames: 'chunk-[hash]',
  metafile: true,
  plugins: [
    builtinsOnUse,
    coreFirst({ core: 'functions/lambda/core.ts', entries: databaseFunctions.map(sourceOf) }),
  ],
  // Packages in CommonJS form may call `require`, which an ES module does not have by itself.
  banner: {
    js: "const require = (id) => process.getBuiltinModule('module').createRequire(import.meta.url)(id);",
  },
};

/** What packages in CommonJS form call; other platforms may not have `process.getBuiltinModule`. */
export const requireBanner = {
  // esbuild does not know these names, so a module of the bundle must have none of them.
  js: "import { createRequire as requireForBundle } from 'node:module'; const require = requireForBundle(import.meta.url);",
};

/** @satisfies {import('esbuild').BuildOptions} */
const fetchApi = {
  ...selfContained,
  entryPoints: fetchEntry,
  chunkNames: 'fetch-[hash]',
  banner: requireBanner,
};

const results = [tools, functionEntries, fetchEntry, workerEntries]
  .flatMap((entries) => Object.keys(entries))
  .map((name) => `${name}.mjs`);

/** Everything that the bundles depend on. */
const sources = {
  folders: ['config', 'functions', 'lib', 'migrations', 'scripts'],
  // Settings and certificates lie in config/, too.
  kind: /\.(ts|mjs)$/,
  files: ['package.json', 'package-lock.json', 'tsconfig.json'],
};

/** @satisfies {import('esbuild').BuildOptions} */
export const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  sourcemap: true,
  logLevel: 'warning',
};

/** Makes the bundles and the screen in dist/, each unless it is there from the same sources. */
export async function build() {
  await bundle();
  await buildScreen();
}

/** Whether dist/ holds what the sources that are here now make of it. */
export async function isBuilt() {
  return (await isBundled()) && (await isScreenBuilt());
}

/**
 * Bundles the entrances into dist/: the server and what belongs to it, and the functions.
 */
async function bundle() {
  if (await isBundled()) return;
  const hash = await sourcesHash(sources);
  await rm(stamp, { force: true });
  await step('Bundling the server', makeBundles);
  await writeFile(stamp, hash);
}

async function isBundled() {
  const isThere = [stamp, ...results.map((name) => join(dist, name))].every((file) => existsSync(file));
  return isThere && (await readFile(stamp, 'utf8')) === (await sourcesHash(sources));
}

async function makeBundles() {
  const esbuild = await import('esbuild');
  for (const name of await readdir(dist).catch(() => [])) {
    if (/^(lambda|chunk|tool|fetch)\b/.test(name)) await rm(join(dist, name));
  }
  const [{ metafile }] = await Promise.all([
    esbuild.build({ ...common, ...functions }),
    esbuild.build({ ...common, ...fetchApi }),
    esbuild.build({ ...common, entryPoints: workerEntries }),
    // In chunks, so that packages which a setting enables are loaded only then.
    esbuild.build({
      ...common,
      entryPoints: tools,
      packages: 'external',
      splitting: true,
      chunkNames: 'tool-[hash]',
    }),
  ]);
  // What is in which bundle, for the tests.
  await writeFile(join(dist, 'lambda-meta.json'), JSON.stringify(metafile));
  await esbuild.stop();
}

if (process.argv[1] === import.meta.filename) {
  // What is run after a build by hand, such as serverless-offline or a benchmark, is no part of a start.
  await ensureInstalled('to develop');
  await provideDriverFor(process.env);
  await build();
}
