import { beforeEach, describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../../lib/attachments/circuit-breaker.ts';

const longestAttempt = 10_000;

describe('a circuit breaker', () => {
  let now: number;
  let tried: number;
  let breaker: CircuitBreaker;
  beforeEach(() => {
    now = 0;
    tried = 0;
    breaker = new CircuitBreaker({ longestAttempt, now: () => now });
  });
  const attempt = (result: Promise<string>): Promise<string> =>
    breaker.attempt(() => {
      tried += 1;
      return result;
    });
  const failed = () => Promise.reject<string>(new Error('no answer'));
  const unavailable = { kind: 'unavailable' };

  it('lets everything through while the server responds', async () => {
    for (let times = 0; times < 3; times += 1) expect(await attempt(Promise.resolve('yes'))).toBe('yes');
    expect(() => breaker.check()).not.toThrow();
  });

  it('refuses everything for three seconds after a failure, and then lets one try', async () => {
    await expect(attempt(failed())).rejects.toMatchObject({ ...unavailable, cause: new Error('no answer') });
    now = 2999;
    await expect(attempt(Promise.resolve('yes'))).rejects.toMatchObject(unavailable);
    expect(tried).toBe(1);
    now = 3000;
    let answer = (_text: string): void => {};
    const first = attempt(new Promise((resolve) => (answer = resolve)));
    await expect(attempt(Promise.resolve('yes'))).rejects.toMatchObject(unavailable);
    expect(tried).toBe(2);
    answer('again');
    expect(await first).toBe('again');
    expect(await attempt(Promise.resolve('yes'))).toBe('yes');
  });

  it('refuses everything for three further seconds when that one fails', async () => {
    await attempt(failed()).catch(() => {});
    now = 3000;
    await attempt(failed()).catch(() => {});
    now = 5999;
    expect(() => breaker.check()).toThrow('try again');
    now = 6000;
    expect(() => breaker.check()).not.toThrow();
  });
});
