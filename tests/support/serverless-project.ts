import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

type Texts = Readonly<Record<string, string>>;

/** A project with the given files beside `serverless.yml` and what that names, for one test. */
export function projectWith(files: Texts): string {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  for (const name of ['serverless.yml', 'package.json', 'scripts', 'ops']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const sources = ['config', 'functions', 'lib', 'migrations', 'ui', 'package-lock.json', 'tsconfig.json'];

/** The same with everything that is built, and what it is built from. */
export function builtProjectWith(files: Texts = {}): string {
  const folder = projectWith(files);
  for (const name of [...sources, 'dist']) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (from) => !/\.map$|selfsigned|lrs\.json$/.test(from),
    });
  }
  return folder;
}

/** What a command of Serverless prints, in a folder and with settings. */
export function serverless(command: readonly string[], cwd = root, settings: Texts = {}) {
  const program = join(root, 'node_modules/serverless/bin/serverless.js');
  const env = { PATH: process.env.PATH, ...settings };
  return spawnSync(process.execPath, [program, ...command], { cwd, encoding: 'utf8', env });
}
