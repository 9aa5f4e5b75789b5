import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The full titles of the tests in each file, without running them. @param files paths in the repository. */
export async function titlesOf(files: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [vitest, 'list', '--json', '--no-isolate', ...files],
    { cwd: root, env, maxBuffer: 64 * 2 ** 20 },
  );
  const titles = new Map<string, string[]>();
  for (const { file, name } of JSON.parse(stdout) as { file: string; name: string }[]) {
    const path = file.slice(root.length);
    titles.set(path, [...(titles.get(path) ?? []), name]);
  }
  return titles;
}
