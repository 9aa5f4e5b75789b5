import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used so far. */
export interface ProcessUsage {
  /** Milliseconds of processor time of its threads that are alive. */
  readonly cpu: number;
  /** Megabytes that are resident now, and at most so far. */
  readonly resident: number;
  readonly peak: number;
}

const nothing: ProcessUsage = { cpu: 0, resident: 0, peak: 0 };

/** Of a process on Linux; zeros where /proc does not tell, or the process has ended. */
export function usageOf(pid: number): ProcessUsage {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`)
      .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]))
      .reduce((sum, each) => sum + each, 0);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
    return { cpu: nanoseconds / 1e6, resident: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  } catch {
    return nothing;
  }
}
