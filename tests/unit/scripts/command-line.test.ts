import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../scripts');

const run = (program: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, `${program}.mjs`), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

describe('every command', () => {
  it.each([
    ['start', [], /^npm start/],
    ['migrate', [], /^npm run migrate/],
    ['reindex', [], /^npm run reindex/],
    ['import', [], /^npm run import/],
    ['export', [], /^npm run export/],
    ['store', ['move'], /^npm run store/],
    ['backup', ['backup'], /^npm run backup[^\n]*\nnpm run restore/],
    ['lrs', [], /^serverless-lrs COMMAND/],
    ['lrs', ['keys', 'create'], /^serverless-lrs COMMAND/],
    ['lrs', ['restore'], /^npm run backup/],
    ['lrs', ['reindex'], /^npm run reindex/],
  ])('prints its usage when it is asked for it: %s %o', (program, args, usage) => {
    const shown = { status: 0, stdout: expect.stringMatching(usage), stderr: '' };
    expect(run(program, ...args, '--help')).toEqual(shown);
    expect(run(program, ...args, '-h')).toEqual(shown);
  });

  it.each(['import', 'export'])('explains its options when it is asked for its usage: %s', (program) => {
    const [usage = '', ...explained] = run(program, '--help').stdout.split('\n');
    const options = [...usage.matchAll(/--[a-z-]{3,}/g)].map(([option]) => option);
    expect(options.length).toBeGreaterThan(1);
    for (const option of options) {
      expect(explained).toContainEqual(expect.stringMatching(new RegExp(`^  ${option} `)));
    }
  });

  it.each(['migrate', 'reindex'])('refuses what it does not know with a sentence: %s', (program) => {
    const { status, stderr } = run(program, '--workers', '2');
    expect(status).toBe(2);
    expect(stderr).toMatch(new RegExp(`^Unknown option '--workers'\\. npm run ${program} [^\n]*\n$`));
  });

  it.each([
    [['start', '--workers', '0']],
    [['backup']],
    [['backup', 'backup']],
    [['export']],
    [['import']],
    [['store', 'move', 'a']],
    [['lrs', 'backup']],
    [['lrs', 'restore']],
    [['lrs', 'import']],
    [['lrs', 'export']],
    [['lrs', 'keys', 'create']],
  ])('ends with status 2 when its command line is wrong: %j', ([program = '', ...args]) => {
    const { status, stdout, stderr } = run(program, ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });
});
