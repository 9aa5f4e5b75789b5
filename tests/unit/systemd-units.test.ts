import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const place = join(root, 'ops/systemd');
const units = readdirSync(place);
const isInstalled = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0;

describe('the systemd units of ops/systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'units-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are the server, its backup and when that is made, and docs/operation.md names them', () => {
    expect(units.sort()).toEqual(['lrs-backup.service', 'lrs-backup.timer', 'lrs.service']);
    const page = readFileSync(join(root, 'docs/operation.md'), 'utf8');
    for (const unit of units) expect(page).toContain(`(../ops/systemd/${unit})`);
  });

  it.skipIf(!isInstalled).each(units)('are accepted by systemd: %s', (name) => {
    for (const unit of units) {
      const text = readFileSync(join(place, unit), 'utf8');
      // Where Node.js is on this machine.
      writeFileSync(join(folder, unit), text.replaceAll('/usr/bin/node', process.execPath));
    }
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, name)], {
      encoding: 'utf8',
    });
    const ours = stderr.split('\n').filter((line) => line.includes('lrs'));
    expect({ status, ours }).toEqual({ status: 0, ours: [] });
  });
});
