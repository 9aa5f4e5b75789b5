import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLines, run } from './child.mjs';
import { step } from './steps.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const modules = join(root, 'node_modules');
const lockfile = join(root, 'package-lock.json');
/** npm's own list of what is in the folder, which it writes when an installation is complete. */
const installedLockfile = join(modules, '.package-lock.json');

/**
 * Installs the packages of the lockfile that are missing; ends the process when that fails. No package runs a script of its
 * own: the only one that needs to is the SQLite driver (`sqlite-driver.mjs`).
 * @param {'to start' | 'to develop'} purpose a start needs the server and what builds it; the tests and checks need all.
 */
export async function ensureInstalled(purpose) {
  const wanted = readPackages(lockfile);
  const installed = readPackages(installedLockfile);
  if (missing(wanted, installed, purpose).length === 0) return;
  refuseLink();
  // Who has everything keeps everything.
  const isAll = purpose === 'to develop' || [...installed.values()].some(({ dev }) => dev === true);
  const count = needed(wanted, isAll ? 'to develop' : 'to start').length;
  const { ok, output } = await step(
    `Installing packages, about ${count}`,
    () => run(installCommand(isAll, installed.size > 0), { cwd: root }),
    'from the npm registry; one to two minutes on an ordinary connection',
  );
  if (ok) return;
  console.error(`${lastLines(output)}\nThe packages could not be installed; see the lines above.`);
  process.exit(1);
}

/** `npm ci` empties the folder first, which removes the remains of an interrupted installation. */
function installCommand(isAll, isUpdate) {
  const command = isUpdate ? ['npm', 'install', '--no-save'] : ['npm', 'ci'];
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  return [...command, isAll ? '--include=dev' : '--omit=dev', ...options];
}

/** Path → package; empty when there is no such file. */
function readPackages(file) {
  if (!existsSync(file)) return new Map();
  const { packages = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(Object.entries(packages));
}

/** The packages of the lockfile without those that only some platforms take. */
function needed(wanted, purpose) {
  return [...wanted].filter(
    ([path, { optional, devOptional, dev }]) =>
      path !== '' && !optional && !devOptional && (purpose === 'to develop' || !dev),
  );
}

function missing(wanted, installed, purpose) {
  return needed(wanted, purpose).filter(([path, { version }]) => installed.get(path)?.version !== version);
}

/** An installation changes the folder, and that of another project would be changed through a link to it. */
function refuseLink() {
  if (!lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  console.error(
    `${modules} is a symbolic link to a folder that does not hold the packages of package-lock.json. Remove the link and start again.`,
  );
  process.exit(1);
}
