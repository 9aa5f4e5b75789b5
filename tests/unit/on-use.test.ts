import { describe, expect, it } from 'vitest';
import { onUse } from '../../lib/on-use.ts';

describe('a module that is loaded on use', () => {
  it('is loaded by the first call, and returned at once afterwards', async () => {
    let loads = 0;
    const module = { name: 'loaded' };
    const use = onUse(async () => {
      loads += 1;
      return module;
    });
    expect(loads).toBe(0);
    expect(await use()).toBe(module);
    expect(use()).toBe(module);
    expect(loads).toBe(1);
  });

  it('is loaded again after a failure', async () => {
    const answers = [Promise.reject(new Error('no such file')), Promise.resolve({ name: 'loaded' })];
    const use = onUse(() => answers.shift() ?? Promise.reject(new Error('loaded a third time')));
    await expect(use()).rejects.toThrow('no such file');
    expect(await use()).toEqual({ name: 'loaded' });
  });
});
