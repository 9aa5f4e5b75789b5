import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { common, requireBanner, selfContained, workerEntries } from './build.mjs';
import { buildScreen } from './build-screen.mjs';
import { root } from './installed.mjs';
import { step } from './steps.mjs';

/** What a container runs. */
const programs = {
  serve: 'scripts/serve.ts',
  healthy: 'scripts/healthy.ts',
  migrate: 'scripts/migrate.ts',
  backup: 'scripts/backup.ts',
  lrs: 'scripts/lrs.ts',
  reindex: 'scripts/reindex.ts',
  import: 'scripts/import.ts',
  export: 'scripts/export.ts',
};

/**
 * Makes what a container image holds: the server and its tools with their packages in them, so that nothing is installed
 * there, and the screen. SQLite is the one of Node.js, so the image needs Node.js 22.13 or newer for it.
 * @param {string} folder is made anew
 */
export async function buildImage(folder = join(root, 'dist/image')) {
  await rm(folder, { recursive: true, force: true });
  await step('Bundling the server with its packages', async () => {
    const esbuild = await import('esbuild');
    await esbuild.build({
      ...common,
      ...selfContained,
      entryPoints: { ...programs, ...workerEntries },
      chunkNames: 'chunk-[hash]',
      banner: requireBanner,
      sourcemap: false,
      outdir: folder,
    });
    await esbuild.stop();
  });
  await buildScreen();
  await cp(join(root, 'dist/web'), join(folder, 'web'), { recursive: true });
}

if (process.argv[1] === import.meta.filename) await buildImage();
