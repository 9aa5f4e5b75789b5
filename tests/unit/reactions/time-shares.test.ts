import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TimeShares } from '../../../lib/reactions/engine/time-shares.ts';

const one = { id: 'one' };

describe('the time that a reaction may take while others wait', () => {
  let now = 0;

  beforeEach(() => {
    now = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => vi.restoreAllMocks());

  it('is not used up by many triggers that take 100 ms each', () => {
    const shares = new TimeShares(1000);
    for (let trigger = 0; trigger < 1000; trigger++) shares.spend(one, 100);
    expect(shares.left(one)).toBe(1100);
  });

  it('is used up by what triggers take beyond 100 ms, for this reaction only', () => {
    const shares = new TimeShares(1000);
    for (let trigger = 0; trigger < 4; trigger++) shares.spend(one, 300);
    expect(shares.left(one)).toBe(300);
    expect(shares.left({ id: 'other' })).toBe(1100);
  });

  it('comes back as time passes, a tenth of it, however long a trigger took', () => {
    const shares = new TimeShares(1000);
    shares.spend(one, 20_000);
    expect(shares.left(one)).toBe(100);
    now += 5000;
    expect(shares.left(one)).toBe(600);
    now += 60_000;
    expect(shares.left(one)).toBe(1100);
  });
});
