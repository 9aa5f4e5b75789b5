import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { KeyedMutex } from '../../../lib/accounts/keyed-mutex.ts';

describe('a mutex by name', () => {
  it('is taken one after another for one name, at once for others', async () => {
    const mutex = new KeyedMutex();
    const seen: string[] = [];
    const work = (label: string, milliseconds: number) => async () => {
      seen.push(`${label} begins`);
      await sleep(milliseconds);
      seen.push(`${label} ends`);
    };
    await Promise.all([
      mutex.take('a', work('first', 20)),
      mutex.take('a', work('second', 0)),
      mutex.take('b', work('other', 5)),
    ]);
    expect(seen).toEqual([
      'first begins',
      'other begins',
      'other ends',
      'first ends',
      'second begins',
      'second ends',
    ]);
  });

  it('is free again after one that failed', async () => {
    const mutex = new KeyedMutex();
    const failed = mutex.take('a', () => Promise.reject(new Error('no luck')));
    const next = mutex.take('a', async () => 'served');
    await expect(failed).rejects.toThrow('no luck');
    expect(await next).toBe('served');
    expect(await mutex.take('a', async () => 'again')).toBe('again');
  });
});
