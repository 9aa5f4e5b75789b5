import { expect, it } from 'vitest';
import { measuringCpu } from '../../../lib/reactions/cpu-time.ts';

function spentBy(work: () => unknown): number {
  let spent = 0;
  measuringCpu(work, (milliseconds) => {
    spent += milliseconds;
  });
  return spent;
}

/** As a process does that has no turn on the processor. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Other threads of the process work, too, so its CPU time may grow faster than the clock goes. */
function workFor(milliseconds: number): void {
  const [before, start] = [process.cpuUsage(), performance.now()];
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    const cpu = (user + system) / 1000;
    if (Math.min(cpu, performance.now() - start) >= milliseconds) return;
  }
}

it('work is measured by the time in which the processor worked on it, and not by the one in which it waited', () => {
  expect(spentBy(() => workFor(50))).toBeGreaterThanOrEqual(50);
  expect(spentBy(() => sleep(200))).toBeLessThan(100);
});

it('work that fails has been done, too', () => {
  let spent = 0;
  const failing = () =>
    measuringCpu(
      () => {
        workFor(20);
        throw new Error('It fails.');
      },
      (milliseconds) => {
        spent = milliseconds;
      },
    );
  expect(failing).toThrow('It fails.');
  expect(spent).toBeGreaterThanOrEqual(20);
});

it('short work is measured, too', () => {
  const many = Array.from({ length: 1000 }, () => spentBy(() => JSON.parse('[1, 2, 3]')));
  expect(many.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0);
});
