import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapters } from './chapters.ts';
import { conformancePage } from './page.ts';
import { type TestName, titlePattern } from './requirement.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const requirements = chapters.flatMap((chapter) => chapter.requirements);
const named = requirements.flatMap(({ tests }) => tests);

/** The full titles of the tests in each file, without running them. */
async function titlesOf(files: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
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

describe('the requirements', () => {
  let titles: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    titles = await titlesOf([...new Set(named.map(({ file }) => file))]);
  });

  it('each have a place of their own and at least one test', () => {
    const ids = requirements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(requirements.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  it('name only tests that exist', () => {
    const exists = (test: TestName): boolean =>
      (titles.get(test.file) ?? []).some((title) => titlePattern(test).test(title));
    expect(named.filter((test) => !exists(test))).toEqual([]);
  });

  it('are what docs/conformance.md says (npm run generate:conformance writes it)', () => {
    const page = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8');
    expect(page).toBe(conformancePage());
  });
});
