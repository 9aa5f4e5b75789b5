import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const scripts = join(import.meta.dirname, '../../scripts');

/**
 * Makes sure that `dist/web` holds the web screen as its sources are now; when it does, that takes no time.
 * @throws Error with what the build printed.
 */
export async function builtScreen(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(scripts, 'build-screen.mjs')]);
}

/**
 * The same for all of `dist/`. It installs nothing, because other tests are using the packages.
 * @throws Error with what the build printed.
 */
export async function builtBundles(): Promise<void> {
  const program = "const { build } = await import('./build.mjs'); await build();";
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: scripts });
}
