import { describe, expect, it } from 'vitest';
import { Capacity } from '../../lib/capacity.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until it is told to end, by name. */
function observed(total: number) {
  const capacity = new Capacity(total);
  const running = new Map<string, () => void>();
  const begin = (name: string, weight: number): Promise<void> =>
    capacity.run(weight, async () => {
      await new Promise<void>((end) => running.set(name, end));
      running.delete(name);
    });
  const end = async (name: string): Promise<string[]> => {
    running.get(name)?.();
    await settled();
    return [...running.keys()];
  };
  return { capacity, running, begin, end };
}

describe('a capacity', () => {
  it('runs as much as fits, and the rest in the order of the calls', async () => {
    const { running, begin, end } = observed(3);
    for (const [name, weight] of Object.entries({ a: 2, b: 1, c: 3, d: 1 })) void begin(name, weight);
    expect([...running.keys()]).toEqual(['a', 'b']);
    expect(await end('a')).toEqual(['b']);
    expect(await end('b')).toEqual(['c']);
    expect(await end('c')).toEqual(['d']);
  });

  it('runs what is heavier than all of it alone', async () => {
    const { running, begin, end } = observed(3);
    void begin('light', 1);
    void begin('heavy', 10);
    void begin('next', 1);
    expect([...running.keys()]).toEqual(['light']);
    expect(await end('light')).toEqual(['heavy']);
    expect(await end('heavy')).toEqual(['next']);
  });

  it('has room again after work that fails', async () => {
    const { capacity } = observed(1);
    const failing = capacity.run(1, () => Promise.reject(new Error('failed')));
    const next = capacity.run(1, async () => 'done');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});
