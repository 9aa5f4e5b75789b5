import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const script = join(import.meta.dirname, '../../scripts/build-screen.mjs');

/**
 * Makes sure that `dist/web` holds the web screen as its sources are now; when it does, that takes no time.
 * @throws Error with what the build printed.
 */
export async function builtScreen(): Promise<void> {
  await promisify(execFile)(process.execPath, [script]);
}
