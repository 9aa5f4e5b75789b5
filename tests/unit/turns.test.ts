import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Turns } from '../../lib/turns.ts';

/** Turns with so much room, and a request that takes one of them, by the order in which they start. */
function observed(room: number) {
  const turns = new Turns(room);
  const started: string[] = [];
  const take = (name: string, weight: number) => void turns.take(weight).then(() => started.push(name));
  return { take, started };
}

describe('the turns of requests', () => {
  it('start as many at once as there is room for and the others in later turns, in their order', async () => {
    const { take, started } = observed(2);
    for (const name of ['1', '2', '3', '4', '5']) take(name, 1);
    await setImmediate();
    expect(started.join('')).toBe('12');
    await setImmediate();
    expect(started.join('')).toBe('1234');
    await setImmediate();
    expect(started.join('')).toBe('12345');
  });

  it('start what is heavier than a turn alone, and nothing light before it', async () => {
    const { take, started } = observed(3);
    take('light', 1);
    take('heavy', 10);
    take('second', 1);
    take('third', 1);
    await setImmediate();
    expect(started).toEqual(['light']);
    await setImmediate();
    expect(started).toEqual(['light', 'heavy']);
    await setImmediate();
    expect(started).toEqual(['light', 'heavy', 'second', 'third']);
  });

  it('start none before those that have arrived with it are there too', async () => {
    const { take, started } = observed(2);
    take('first', 1);
    await Promise.resolve();
    expect(started).toEqual([]);
    take('second', 1);
    await setImmediate();
    expect(started).toEqual(['first', 'second']);
  });

  it('let nobody wait for another turn who comes alone', async () => {
    const { take, started } = observed(1);
    for (const name of ['1', '2', '3']) {
      take(name, 5);
      await setImmediate();
      expect(started.at(-1)).toBe(name);
    }
  });

  it('start those who waited before those who came later', async () => {
    const { take, started } = observed(1);
    take('first', 1);
    take('second', 1);
    await setImmediate();
    take('third', 1);
    await setImmediate();
    expect(started).toEqual(['first', 'second']);
    await setImmediate();
    expect(started).toEqual(['first', 'second', 'third']);
  });
});
