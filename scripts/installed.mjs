import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const modules = join(root, 'node_modules');
const lockfile = join(root, 'package-lock.json');
const installedLockfile = join(modules, '.package-lock.json');
const stamp = join(modules, '.installed-from');

/** Installs the packages of the lockfile unless they are there already; ends the process when that fails. */
export function ensureInstalled() {
  const wanted = createHash('sha256').update(readFileSync(lockfile)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  if (!isInstalledByHand()) {
    refuseLink();
    console.error('Installing packages from package-lock.json …');
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (status !== 0) {
      console.error('The packages could not be installed; see the lines above.');
      process.exit(1);
    }
  }
  writeFileSync(stamp, wanted);
}

/** Installing empties the folder first, and that of another project would be emptied through a link to it. */
function refuseLink() {
  if (!lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  console.error(
    `${modules} is a symbolic link to a folder that does not hold the packages of package-lock.json. Remove the link and start again.`,
  );
  process.exit(1);
}

/** npm writes its own copy of the lockfile last, so a copy that is not older than ours belongs to a finished install. */
function isInstalledByHand() {
  return existsSync(installedLockfile) && statSync(installedLockfile).mtimeMs >= statSync(lockfile).mtimeMs;
}
