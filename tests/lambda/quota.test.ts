import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeQuota } from '../emulator/quota.ts';

/** A folder that looks like the control groups of a machine. */
function controlGroups(...controllers: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'lrs-cgroup-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const controller of controllers) {
    mkdirSync(join(root, controller));
    writeFileSync(join(root, controller, 'cgroup.procs'), '');
  }
  return root;
}

it('an instance gets its memory at once, and its share of a processor when it has started', () => {
  const root = controlGroups('memory', 'cpu');
  const quota = makeQuota('one', 256, root);
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  expect(read('memory/one/memory.limit_in_bytes')).toBe(String(256 * 2 ** 20));
  expect(existsSync(join(root, 'cpu/one/cpu.cfs_quota_us'))).toBe(false);
  expect(Number(read('cpu/one/cpu.shares'))).toBeGreaterThan(1024);
  quota?.limitProcessor();
  expect([read('cpu/one/cpu.cfs_period_us'), read('cpu/one/cpu.cfs_quota_us')]).toEqual(['20000', '2894']);
  expect(read('cpu/one/cpu.shares')).toBe('1024');
  quota?.freeProcessor();
  expect(read('cpu/one/cpu.cfs_quota_us')).toBe('-1');
  expect(quota?.procs).toEqual([join(root, 'memory/one/cgroup.procs'), join(root, 'cpu/one/cgroup.procs')]);
});

it('there are no quotas on a machine whose control groups are others', () => {
  expect(makeQuota('one', 256, controlGroups('memory'))).toBeUndefined();
});
