import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The memory and processor time of one instance, in control groups of its own. */
export interface Quota {
  /** Files to which a process that is to be under the quota writes its id. */
  readonly procs: readonly string[];
  /** Limits the processor from now on: Lambda does so when the function has started. */
  limitProcessor(): void;
  /** Takes that limit off again. */
  freeProcessor(): void;
  /** To be called when its process has ended. */
  remove(): void;
}

/** Megabytes of memory with which a function on Lambda has one processor; less memory is as much less of it. */
const memoryOfProcessor = 1769;
/** Microseconds in which a function gets its share. */
const period = 20_000;
/** Weights of an instance that starts, for which Lambda has a whole processor, and of one that serves. */
const startingWeight = 16_384;
const usualWeight = 1024;

const controllers = ['memory', 'cpu'] as const;

/**
 * Makes the control groups (version 1) of an instance.
 * @param memory megabytes
 * @returns undefined where this process may not make any.
 */
export function makeQuota(name: string, memory: number, root = '/sys/fs/cgroup'): Quota | undefined {
  const groups = controllers.map((controller) => join(root, controller, name));
  if (!controllers.every((controller) => existsSync(join(root, controller, 'cgroup.procs'))))
    return undefined;
  try {
    for (const group of groups) mkdirSync(group);
    const [memoryGroup = '', cpuGroup = ''] = groups;
    writeFileSync(join(memoryGroup, 'memory.limit_in_bytes'), String(memory * 2 ** 20));
    writeFileSync(join(cpuGroup, 'cpu.cfs_period_us'), String(period));
    writeFileSync(join(cpuGroup, 'cpu.shares'), String(startingWeight));
    return {
      procs: groups.map((group) => join(group, 'cgroup.procs')),
      limitProcessor: () => {
        const share = Math.round((period * memory) / memoryOfProcessor);
        writeFileSync(join(cpuGroup, 'cpu.cfs_quota_us'), String(share));
        writeFileSync(join(cpuGroup, 'cpu.shares'), String(usualWeight));
      },
      freeProcessor: () => writeFileSync(join(cpuGroup, 'cpu.cfs_quota_us'), '-1'),
      remove: () => removeAll(groups),
    };
  } catch {
    removeAll(groups);
    return undefined;
  }
}

/** Whether instances can have quotas here. */
export function hasQuotas(): boolean {
  const quota = makeQuota(`lrs-lambda-probe-${process.pid}`, 128);
  quota?.remove();
  return quota !== undefined;
}

function removeAll(groups: readonly string[]): void {
  for (const group of groups) {
    try {
      rmdirSync(group);
    } catch {
      // It was not made, or its last process is still ending: an empty group does no harm.
    }
  }
}
