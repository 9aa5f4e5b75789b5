import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { root } from './installed.mjs';
import { filesIn, sourcesHash } from './sources-hash.mjs';
import { step } from './steps.mjs';

const dist = join(root, 'dist');
const web = join(dist, 'web');
/** Says what the files beside it were built from; it is there only while they are whole. */
const stamp = join(web, '.built-from');

/**
 * Builds the web screen into dist/web/, with a br and a gz copy of each text that the page loads, unless that was done from the same sources. A
 * process of its own does it: Vite takes memory that a server which goes on here would never give back.
 */
export async function buildScreen() {
  if (await isScreenBuilt()) return;
  await step('Building the web screen', async () => {
    const child = spawn(process.execPath, [import.meta.filename], { cwd: root, stdio: ['ignore', 2, 2] });
    const [status] = await once(child, 'exit');
    if (status !== 0) throw new Error('The web screen could not be built; see the lines above.');
  });
}

/** Whether dist/web/ holds the screen as its sources are now. */
export async function isScreenBuilt() {
  return existsSync(stamp) && (await readFile(stamp, 'utf8')) === (await sourcesHash(sources));
}

/** Everything that the result depends on: `lib/` too, since the screen takes pure functions and types from there. */
const sources = {
  folders: ['ui', 'lib'],
  files: ['package-lock.json', 'tsconfig.json', 'scripts/build-screen.mjs'],
};

async function make() {
  const hash = await sourcesHash(sources);
  await mkdir(dist, { recursive: true });
  await removeLeftovers();
  const fresh = await mkdtemp(join(dist, '.web-'));
  try {
    // Packages of the screen look at this variable, and Vite leaves it alone when it is set.
    process.env.NODE_ENV = 'production';
    const vite = await import('vite');
    await vite.build({
      configFile: join(root, 'ui/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: fresh, emptyOutDir: true },
    });
    await Promise.all((await filesIn(fresh)).map(compressCopies));
    await takeOver(fresh, hash);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** A build that was ended from outside leaves its folder behind. */
async function removeLeftovers() {
  const names = (await readdir(dist)).filter((name) => name.startsWith('.web-'));
  for (const name of names) await removeOld(join(dist, name));
}

const hour = 60 * 60 * 1000;

/** What is younger may be part of a build that is under way, or of a page that somebody has open. */
async function removeOld(path) {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  if (Date.now() - mtimeMs > hour) await rm(path, { recursive: true, force: true });
}

/** The page itself is sent with a nonce that is another one each time. */
const text = /\.(?:js|css|svg|json|webmanifest)$/;

async function compressCopies(file) {
  if (!text.test(file)) return;
  const content = await readFile(file);
  const params = {
    [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
    [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
    [zlib.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION }));
}

/**
 * Moves the files to where servers read them. The page goes last, and what only former ones need is removed after that: at
 * every moment the page that is there has all its files, also when this is interrupted or another build does the same.
 */
async function takeOver(fresh, hash) {
  const isPage = (name) => name === 'index.html';
  const names = (await filesIn(fresh)).map((file) => relative(fresh, file));
  names.sort((one, other) => Number(isPage(one)) - Number(isPage(other)));
  await rm(stamp, { force: true });
  for (const name of names) {
    await mkdir(dirname(join(web, name)), { recursive: true });
    await rename(join(fresh, name), join(web, name));
  }
  for (const file of await filesIn(web)) {
    if (!names.includes(relative(web, file))) await removeOld(file);
  }
  await writeFile(stamp, hash);
}

if (process.argv[1] === import.meta.filename && !(await isScreenBuilt())) await make();
