import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

/* The worked examples of docs/changing.md, all of them in one copy of this project. */

const root = join(import.meta.dirname, '..');
const patches = readdirSync(join(root, 'docs/changing')).sort();

/** What is not part of the program, or too large to be copied. */
const leftOut = new Set(['node_modules', 'dist', '.git', 'data', 'coverage', 'screenshots', '.serverless']);

let copy: string;

function run(program: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: copy,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, GIT_CEILING_DIRECTORIES: tmpdir() },
  });
  return { status, output: stdout + stderr };
}

const node = (script: string, ...args: string[]) =>
  run(process.execPath, [join('node_modules', script), ...args]);

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'recipes-'));
  cpSync(root, copy, {
    recursive: true,
    filter: (from) =>
      !leftOut.has(
        from
          .slice(root.length + 1)
          .split('/')
          .at(-1) ?? '',
      ),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the recipes of docs/changing.md', () => {
  it('name each patch that there is', () => {
    const page = readFileSync(join(root, 'docs/changing.md'), 'utf8');
    expect(patches).toEqual(['add-a-filter.patch', 'add-an-admin-route.patch', 'add-an-engine.patch']);
    for (const patch of patches) expect(page).toContain(`(changing/${patch})`);
  });

  it('name files that exist', () => {
    const page = readFileSync(join(root, 'docs/changing.md'), 'utf8');
    const named = [...page.matchAll(/`((?:functions|lib|tests)\/[\w./-]+\.ts)`/g)].map(
      ([, file = '']) => file,
    );
    expect(named.length).toBeGreaterThan(10);
    for (const file of named) expect(() => readFileSync(join(root, file)), file).not.toThrow();
  });

  it('apply and compile', () => {
    for (const patch of patches) {
      const { status, output } = run('git', ['apply', '-C1', '--recount', join('docs/changing', patch)]);
      expect(status, `${patch} is out of date: ${output}`).toBe(0);
    }
    const compiled = node('typescript/bin/tsc', '-p', '.');
    expect(compiled.status, compiled.output).toBe(0);
  });

  it('work as their tests say', () => {
    const tested = node('vitest/vitest.mjs', 'run', 'tests/recipes/');
    expect(tested.status, tested.output).toBe(0);
  });

  it.skipIf(inject('postgresUrl') === null)('give the new engine what tests expect of its family', () => {
    const tests = ['contract', 'pool', 'query-plans', 'schema-rights', 'search-index', 'start', 'tables'];
    const { status, output } = node(
      'vitest/vitest.mjs',
      'run',
      ...tests.map((name) => `tests/dialects/${name}.test.ts`),
      'tests/unit/scripts/backup-arguments.test.ts',
      'tests/unit/scripts/serve-arguments.test.ts',
      '-t',
      '[Yy]ugabyte',
    );
    expect(status, output).toBe(0);
    expect(output).toMatch(/[1-9]\d* passed/);
  });
});
