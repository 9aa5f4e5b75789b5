import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codeBlocks } from '../support/documentation.ts';

/** The units of docs/operation.md, by the names that it gives them. */
const blocks = codeBlocks('operation.md').flatMap(({ language, code }) => (language === 'ini' ? [code] : []));
const units = new Map(
  ['lrs.service', 'lrs-backup.service', 'lrs-backup.timer'].map((name, at) => [name, blocks[at]]),
);

const isInstalled = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0;

describe('the systemd units of docs/operation.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'units-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are three: the server, its backup and when that is made', () => {
    expect(blocks).toHaveLength(3);
    expect(blocks.map((code) => /^\[(Service|Timer)\]$/m.exec(code)?.[1])).toEqual([
      'Service',
      'Service',
      'Timer',
    ]);
  });

  it.skipIf(!isInstalled).each([...units.keys()])('are accepted by systemd: %s', (name) => {
    for (const [file, code = ''] of units) {
      // Where Node.js is on this machine.
      writeFileSync(join(folder, file), code.replaceAll('/usr/bin/node', process.execPath));
    }
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, name)], {
      encoding: 'utf8',
    });
    const ours = stderr.split('\n').filter((line) => line.includes('lrs'));
    expect({ status, ours }).toEqual({ status: 0, ours: [] });
  });
});
