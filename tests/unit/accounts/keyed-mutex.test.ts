import { describe, expect, it } from 'vitest';
import { KeyedMutex } from '../../../lib/accounts/keyed-mutex.ts';

describe('a mutex by name', () => {
  it('is taken one after another for one name, at once for others', async () => {
    const mutex = new KeyedMutex();
    const seen: string[] = [];
    const ends = new Map<string, () => void>();
    const take = (name: string, label: string) =>
      mutex.take(name, async () => {
        seen.push(`${label} begins`);
        await new Promise<void>((resolve) => ends.set(label, resolve));
        seen.push(`${label} ends`);
      });
    const first = take('a', 'first');
    const second = take('a', 'second');
    const other = take('b', 'other');
    await expect.poll(() => ends.has('first') && ends.has('other')).toBe(true);
    ends.get('other')?.();
    await other;
    expect(ends.has('second')).toBe(false);
    ends.get('first')?.();
    await first;
    await expect.poll(() => ends.has('second')).toBe(true);
    ends.get('second')?.();
    await second;
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
