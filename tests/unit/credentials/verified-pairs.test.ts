import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../lib/credentials/types.ts';
import { VerifiedPairs } from '../../../lib/credentials/verified-pairs.ts';
import { leastProcessorTimes } from '../../support/processor-time.ts';

const principal: Principal = {
  credentialId: 'c',
  label: 'key',
  scopes: ['all'],
  authority: { mbox: 'mailto:a@example.org' },
};

function counted(answer: () => Promise<Principal | undefined>) {
  const lookUp = () => {
    lookUp.calls += 1;
    return answer();
  };
  lookUp.calls = 0;
  return lookUp;
}

describe('verified pairs', () => {
  it('are looked up once, also by requests that ask at the same moment', async () => {
    const pairs = new VerifiedPairs();
    const lookUp = counted(async () => principal);
    const found = await Promise.all([1, 2, 3].map(() => pairs.get('key', 'secret', lookUp)));
    expect(found).toEqual([principal, principal, principal]);
    expect(await pairs.get('key', 'secret', lookUp)).toBe(principal);
    expect(lookUp.calls).toBe(1);
  });

  it('are returned at once when they were looked up', async () => {
    const pairs = new VerifiedPairs();
    await pairs.get('key', 'secret', async () => principal);
    expect(pairs.get('key', 'secret', async () => undefined)).toBe(principal);
  });

  it('do not mix up pairs whose texts run together', async () => {
    const pairs = new VerifiedPairs();
    await pairs.get('ab', 'c', async () => principal);
    expect(await pairs.get('a', 'bc', async () => undefined)).toBeUndefined();
  });

  it('forget a pair of nobody and a look-up that failed', async () => {
    const pairs = new VerifiedPairs();
    const nobody = counted(async () => undefined);
    await pairs.get('key', 'secret', nobody);
    await pairs.get('key', 'secret', nobody);
    expect(nobody.calls).toBe(2);
    const failing = counted(() => Promise.reject(new Error('out of reach')));
    await expect(pairs.get('key', 'other', failing)).rejects.toThrow('out of reach');
    expect(await pairs.get('key', 'other', async () => principal)).toBe(principal);
  });

  it('do not give out what was being looked up when credentials changed', async () => {
    const pairs = new VerifiedPairs();
    const slow = sleep(5, principal);
    const early = pairs.get('key', 'secret', () => slow);
    pairs.forget();
    const late = pairs.get('key', 'secret', async () => undefined);
    expect(await early).toBe(principal);
    expect(await late).toBeUndefined();
    expect(await pairs.get('key', 'secret', async () => undefined)).toBeUndefined();
  });

  it('are looked up again after a second, and when the clock has been set back', async () => {
    let now = 5000;
    const pairs = new VerifiedPairs(() => now);
    const lookUp = counted(async () => principal);
    for (const [time, calls] of [
      [5000, 1],
      [5999, 1],
      [6000, 2],
      [6999, 2],
      [5500, 3],
    ] as const) {
      now = time;
      await pairs.get('key', 'secret', lookUp);
      expect([time, lookUp.calls]).toEqual([time, calls]);
    }
  });

  it('stay bounded: the oldest makes room', async () => {
    const pairs = new VerifiedPairs();
    const lookUp = counted(async () => principal);
    for (let index = 0; index <= 1000; index++) await pairs.get(`key ${index}`, 'secret', lookUp);
    await pairs.get('key 1000', 'secret', lookUp);
    expect(lookUp.calls).toBe(1001);
    await pairs.get('key 0', 'secret', lookUp);
    expect(lookUp.calls).toBe(1002);
  });

  it('cost no more than a few hashes of their length', async () => {
    const pairs = new VerifiedPairs();
    const [key, secret] = ['a'.repeat(64), 'b'.repeat(64)];
    const lookUp = async () => principal;
    const often = (once: () => unknown) => async () => {
      for (let round = 0; round < 20_000; round++) await once();
    };
    const [hash = 0, get] = await leastProcessorTimes(
      often(() => createHash('sha256').update(key).update(secret).digest()),
      often(() => pairs.get(key, secret, lookUp)),
    );
    expect(get).toBeLessThan(5 * hash);
  });
});
