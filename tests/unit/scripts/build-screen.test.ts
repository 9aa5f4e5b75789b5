import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

describe('the build of the screen', () => {
  let project: string;

  /** A project with a screen of two lines, and the packages of this one. */
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'build-screen-'));
    mkdirSync(join(project, 'scripts'));
    for (const name of ['build-screen.mjs', 'child.mjs', 'installed.mjs', 'sources-hash.mjs', 'steps.mjs']) {
      cpSync(join(root, 'scripts', name), join(project, 'scripts', name));
    }
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
    for (const folder of ['ui', 'lib/xapi', 'lib/accounts']) {
      mkdirSync(join(project, folder), { recursive: true });
    }
    put('lib/accounts/rules.ts', '');
    put('package.json', '{ "type": "module" }');
    put('package-lock.json', '{}');
    put('tsconfig.json', '{}');
    put('ui/vite.config.ts', "export default { root: import.meta.dirname, base: './' };");
    put('ui/index.html', '<!doctype html><script type="module" src="./main.ts"></script>');
    put('ui/main.ts', "document.title = 'first';");
  });
  afterEach(() => rmSync(project, { recursive: true }));

  const put = (name: string, text: string): void => writeFileSync(join(project, name), text);
  const web = (...names: string[]): string => join(project, 'dist/web', ...names);
  const page = (): string => readFileSync(web('index.html'), 'utf8');
  const script = (): string => /assets\/[\w-]+\.js/.exec(page())?.[0] ?? '';
  const build = () =>
    spawnSync(process.execPath, [join(project, 'scripts/build-screen.mjs')], { encoding: 'utf8' });
  const built = (): void => {
    const { status, stderr } = build();
    expect(status, stderr).toBe(0);
  };

  it('makes a page with relative addresses, and what it loads in two codings too', () => {
    built();
    expect(readFileSync(web(script()), 'utf8')).toContain('first');
    const text = readFileSync(web(script()), 'utf8');
    expect(brotliDecompressSync(readFileSync(web(`${script()}.br`))).toString()).toBe(text);
    expect(gunzipSync(readFileSync(web(`${script()}.gz`))).toString()).toBe(text);
    expect(readdirSync(join(project, 'dist'))).toEqual(['web']);
  });

  it('is left out when nothing has changed, and done again when something has', () => {
    built();
    const before = statSync(web('index.html')).ino;
    built();
    expect(statSync(web('index.html')).ino).toBe(before);
    for (const change of [
      () => put('ui/main.ts', "document.title = 'second';"),
      () => put('ui/another.css', ''),
      () => rmSync(join(project, 'ui/another.css')),
      () => put('package-lock.json', '{ "changed": true }'),
      () => rmSync(web('.built-from')),
    ]) {
      const { ino } = statSync(web('index.html'));
      change();
      built();
      expect(statSync(web('index.html')).ino, String(change)).not.toBe(ino);
    }
    expect(readFileSync(web(script()), 'utf8')).toContain('second');
  });

  it('keeps files of a page that somebody may have open, for an hour', () => {
    built();
    const first = script();
    put('ui/main.ts', "document.title = 'second';");
    built();
    expect([existsSync(web(first)), existsSync(web(script())), script() === first]).toEqual([
      true,
      true,
      false,
    ]);
    const old = Date.now() / 1000 - 3601;
    mkdirSync(join(project, 'dist/.web-interrupted'));
    for (const path of [web(first), web(`${first}.br`), join(project, 'dist/.web-interrupted')]) {
      utimesSync(path, old, old);
    }
    put('ui/main.ts', "document.title = 'third';");
    built();
    expect([web(first), web(`${first}.br`), web(`${first}.gz`)].map((path) => existsSync(path))).toEqual([
      false,
      false,
      true,
    ]);
    expect(readdirSync(join(project, 'dist'))).toEqual(['web']);
  });

  it('that fails says why and leaves the page that is there', () => {
    built();
    const before = page();
    put('ui/main.ts', 'this is no script');
    const { status, stderr } = build();
    expect([status, stderr]).toEqual([1, expect.stringContaining('main.ts')]);
    expect([page(), existsSync(web(script()))]).toEqual([before, true]);
    expect(readdirSync(join(project, 'dist'))).toEqual(['web']);
    expect(build().status).toBe(1);
  });
});
