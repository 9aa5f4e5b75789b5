import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  /** CPU time the process has used, user and system, in seconds. */
  readonly cpuSeconds: number;
  /** Largest resident size so far, in MiB. */
  readonly peakMemory: number;
}

const ticksPerSecond = 100;

/** CPU time that all processes of the machine have used, in seconds; undefined where /proc does not tell. */
export function busySeconds(): number | undefined {
  try {
    const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '';
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(' ').map(Number);
    return (user + nice + system + irq + softirq) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

/** CPU and memory of a process on Linux; undefined where /proc does not tell. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpuSeconds: cpuSecondsOf(`/proc/${pid}`), peakMemory: Number(peak) / 1024 };
  } catch {
    return undefined;
  }
}

/**
 * CPU time of the threads that a process has now, in seconds, to a nanosecond; NaN where /proc does not tell. What threads took
 * that have ended is left out.
 */
export function processorSeconds(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(nanoseconds) / 1e9;
    }, 0);
  } catch {
    return Number.NaN;
  }
}

/** The same of a process and its children, for a server that has a process for each connection. */
export function processorSecondsOfTree(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + processorSeconds(each), 0);
}

/** CPU time that a thread of any process has used, in seconds; undefined where /proc does not tell. */
export function threadSeconds(id: number): number | undefined {
  try {
    return cpuSecondsOf(`/proc/${id}/task/${id}`);
  } catch {
    return undefined;
  }
}

/**
 * CPU time that a process and its children have used, those that have ended included, in seconds; for a server that has a process
 * for each connection.
 * @throws Error where /proc does not tell.
 */
export function cpuSecondsOfTree(pid: number): number {
  const stat = statOf(`/proc/${pid}`);
  const ended = (Number(stat[13]) + Number(stat[14])) / ticksPerSecond;
  return childrenOf(pid).reduce(
    (sum, child) => sum + (usageOf(child)?.cpuSeconds ?? 0),
    cpuSecondsOf(`/proc/${pid}`) + ended,
  );
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** @param folder of a process or a thread in /proc. @throws Error when there is none. */
function cpuSecondsOf(folder: string): number {
  const fields = statOf(folder);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The fields of `stat` after the name of the program. */
function statOf(folder: string): string[] {
  const stat = readFileSync(`${folder}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
