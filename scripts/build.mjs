import { buildScreen } from './build-screen.mjs';
import { ensureInstalled, root } from './installed.mjs';

/**
 * Bundles the entrances into dist/: `serve.mjs` (the Node HTTP server; packages stay in node_modules) and `lambda.mjs`
 * (every handler; packages bundled, except the native SQLite driver). Beside both lies `password-worker.mjs`, the thread
 * that they start from a file, and in web/ the screen.
 */
export async function build() {
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
    buildScreen(),
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
  ensureInstalled();
  await build();
}
