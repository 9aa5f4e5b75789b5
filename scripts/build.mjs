import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildScreen, isScreenBuilt } from './build-screen.mjs';
import { ensureInstalled, root } from './installed.mjs';
import { sourcesHash } from './sources-hash.mjs';
import { step } from './steps.mjs';

const dist = join(root, 'dist');
/** Says what the bundles were built from; it is there only while they are whole. */
const stamp = join(dist, '.built-from');
const results = ['serve.mjs', 'lambda.mjs', 'password-worker.mjs'];

/** Everything that the bundles depend on. */
const sources = {
  folders: ['config', 'functions', 'lib', 'migrations', 'scripts'],
  // Settings and certificates lie in config/, too.
  kind: /\.(ts|mjs)$/,
  files: ['package.json', 'package-lock.json', 'tsconfig.json'],
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
 * Bundles the entrances into dist/: `serve.mjs` (the Node HTTP server; packages stay in node_modules) and `lambda.mjs`
 * (every handler; packages bundled, except the native SQLite driver). Beside both lies `password-worker.mjs`, the thread
 * that they start from a file.
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
  const common = {
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
  await Promise.all([
    esbuild.build({ ...common, entryPoints: { serve: 'scripts/serve.ts' }, packages: 'external' }),
    esbuild.build({
      ...common,
      entryPoints: { lambda: 'functions/lambda.ts', 'password-worker': 'lib/auth/password-worker.mjs' },
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
      // Packages in CommonJS form call `require`, which an ES module does not have by itself.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    }),
  ]);
  await esbuild.stop();
}

if (process.argv[1] === import.meta.filename) {
  // What is run after a build by hand, such as serverless-offline or a benchmark, is no part of a start.
  await ensureInstalled('to develop');
  await build();
}
