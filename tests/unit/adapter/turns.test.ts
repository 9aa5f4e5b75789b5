import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Turns } from '../../../lib/adapter/turns.ts';

describe('the turns of requests', () => {
  it('start so many at once and the others in later turns, in their order', async () => {
    const turns = new Turns(2);
    const started: number[] = [];
    for (let request = 1; request <= 5; request += 1) void turns.take().then(() => started.push(request));
    await Promise.resolve();
    expect(started).toEqual([1, 2]);
    await setImmediate();
    expect(started).toEqual([1, 2, 3, 4]);
    await setImmediate();
    expect(started).toEqual([1, 2, 3, 4, 5]);
  });

  it('let nobody wait who comes alone', async () => {
    const turns = new Turns(1);
    for (let request = 0; request < 3; request += 1) {
      let started = false;
      void turns.take().then(() => {
        started = true;
      });
      await Promise.resolve();
      expect(started).toBe(true);
      await setImmediate();
    }
  });

  it('count those who waited against the turn in which they start', async () => {
    const turns = new Turns(1);
    const started: string[] = [];
    const take = (name: string) => void turns.take().then(() => started.push(name));
    take('first');
    take('second');
    await setImmediate();
    take('third');
    await Promise.resolve();
    expect(started).toEqual(['first', 'second']);
    await setImmediate();
    expect(started).toEqual(['first', 'second', 'third']);
  });
});
