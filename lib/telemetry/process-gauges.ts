import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type CacheUse, cacheUses } from '../cache-uses.ts';
import { showGauge } from './gauges.ts';

/** Milliseconds between two ticks of the timer that measures the delay of the event loop. */
const resolution = 20;
const nanoseconds = 1e9;
const microseconds = 1e6;

/** Shows what every process has: its event loop, memory, processor time and caches. @returns ends it. */
export function showProcess(): () => void {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const shown = [
    showGauge('eventLoopDelay', () => {
      // What is measured is the time between two ticks of a timer.
      const seconds = (value: number): number => Math.max(0, value / nanoseconds - resolution / 1000);
      const values = {
        p50: seconds(delay.percentile(50)),
        p99: seconds(delay.percentile(99)),
        max: seconds(delay.max),
      };
      delay.reset();
      return values;
    }),
    showGauge('processMemory', () => process.memoryUsage.rss()),
    showGauge('processTime', () => {
      const { user, system } = process.cpuUsage();
      return { user: user / microseconds, system: system / microseconds };
    }),
    showGauge('cacheHits', () => usesOf('hits')),
    showGauge('cacheMisses', () => usesOf('misses')),
  ];
  return () => {
    delay.disable();
    for (const end of shown) end();
  };
}

function usesOf(kind: keyof CacheUse): Record<string, number> {
  const uses: Readonly<Record<string, CacheUse>> = cacheUses;
  return Object.fromEntries(Object.entries(uses).map(([name, use]) => [name, use[kind]]));
}
