import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

describe('what installs the packages', () => {
  let folder: string;
  let other: string;

  /** A project with nothing but a lockfile, and a folder of packages that belongs to another one. */
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'installed-'));
    other = join(folder, 'other');
    mkdirSync(join(folder, 'project/scripts'), { recursive: true });
    mkdirSync(join(other, 'package'), { recursive: true });
    copyFileSync(join(root, 'scripts/installed.mjs'), join(folder, 'project/scripts/installed.mjs'));
    const project = { name: 'project', version: '1.0.0' };
    writeFileSync(join(folder, 'project/package.json'), JSON.stringify(project));
    const lock = { ...project, lockfileVersion: 3, requires: true, packages: { '': project } };
    writeFileSync(join(folder, 'project/package-lock.json'), JSON.stringify(lock));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const ensureInstalled = () => {
    const script = "(await import('./scripts/installed.mjs')).ensureInstalled()";
    const cwd = join(folder, 'project');
    return spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd, encoding: 'utf8' });
  };

  it('leaves alone what a symbolic link leads to, and says so', () => {
    symlinkSync(other, join(folder, 'project/node_modules'));
    const { status, stderr } = ensureInstalled();
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(/node_modules is a symbolic link .* Remove the link and start again\.$/);
    expect(existsSync(join(other, 'package'))).toBe(true);
  });

  it('takes a link to the packages of the lockfile as it is', () => {
    writeFileSync(join(other, '.package-lock.json'), '{}');
    symlinkSync(other, join(folder, 'project/node_modules'));
    expect(ensureInstalled()).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(other, 'package'))).toBe(true);
  });
});
