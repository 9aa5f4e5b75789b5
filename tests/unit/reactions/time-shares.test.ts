import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Reaction } from '../../../lib/reactions/engine/active-reactions.ts';
import { Returns } from '../../../lib/reactions/engine/returns.ts';
import { TimeShares } from '../../../lib/reactions/engine/time-shares.ts';

const reactionOf = (id: string): Reaction => ({ id }) as Reaction;
const [one, other] = [reactionOf('one'), reactionOf('other')];
let now = 0;

beforeEach(() => {
  now = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => vi.restoreAllMocks());

describe('the time that reactions may take while others wait', () => {
  const spend = (shares: TimeShares, milliseconds: number, reaction = one): void =>
    shares.begin().spend(reaction, milliseconds);

  it('is not used up by many triggers that take 100 ms each', () => {
    const shares = new TimeShares(1000);
    for (let trigger = 0; trigger < 1000; trigger++) spend(shares, 100);
    expect(shares.begin().left()).toBe(1100);
  });

  it('is used up by what triggers take beyond 100 ms, whichever reaction takes it', () => {
    const shares = new TimeShares(1000);
    for (let trigger = 0; trigger < 4; trigger++) spend(shares, 300, trigger % 2 === 0 ? one : other);
    expect(shares.begin().left()).toBe(300);
  });

  it('is shared by all reactions to one trigger', () => {
    const time = new TimeShares(1000).begin();
    for (let count = 0; count < 44; count++) time.spend(reactionOf(String(count)), 25);
    expect(time.left()).toBeCloseTo(0);
    expect(time.takeSlowest()).toHaveLength(40);
    // The others are to be tried, too.
    expect(time.left()).toBeCloseTo(0);
    expect(time.takeSlowest()).toHaveLength(1);
    expect(time.left()).toBeCloseTo(25);
  });

  it('comes back as time passes, a tenth of it for all reactions together, however long a trigger took', () => {
    const shares = new TimeShares(1000);
    spend(shares, 20_000);
    spend(shares, 20_000, other);
    expect(shares.begin().left()).toBeCloseTo(100);
    now += 5000;
    expect(shares.begin().left()).toBeCloseTo(600);
    now += 60_000;
    expect(shares.begin().left()).toBe(1100);
  });

  it('is used up by the reaction that has held up the others for longest, and not by one that is at work last', () => {
    const shares = new TimeShares(1000);
    spend(shares, 900);
    const time = shares.begin();
    time.spend(one, 1);
    time.spend(other, 310);
    expect(time.left()).toBeLessThanOrEqual(0);
    expect(time.takeSlowest()[0]).toBe(one);
    expect(shares.begin().left()).toBeCloseTo(100);
  });
});

describe('a slow reaction', () => {
  const stayFor = (returns: Returns): number => {
    const start = now;
    while (!returns.mayReturn('one')) now += 100;
    returns.noteReturned('one');
    return now - start;
  };

  it('stays apart until it was not slow for a second, and twice as long each time that it is slow again soon', () => {
    const returns = new Returns();
    returns.noteSlow('one');
    expect(stayFor(returns)).toBe(1000);
    for (const milliseconds of [2000, 4000, 8000]) {
      now += 500;
      returns.noteSlow('one');
      expect(stayFor(returns)).toBe(milliseconds);
    }
    now += 80_000;
    returns.noteSlow('one');
    expect(stayFor(returns)).toBe(1000);
  });

  it('stays apart for a second where another process has set it aside', () => {
    expect(stayFor(new Returns())).toBe(1000);
  });
});
