import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Reaction } from '../../../lib/reactions/engine/active-reactions.ts';
import { Returns } from '../../../lib/reactions/engine/returns.ts';
import { TimeShares } from '../../../lib/reactions/engine/time-shares.ts';

const reactionOf = (id: string): Reaction => ({ id, version: 1 }) as Reaction;
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

  it('is not used up by many triggers that take 10 ms in each reaction, and 100 ms in all of them', () => {
    const shares = new TimeShares(1000);
    for (let trigger = 0; trigger < 1000; trigger++) {
      const time = shares.begin();
      for (let count = 0; count < 10; count++) time.spend(reactionOf(String(count)), 10);
    }
    expect(shares.left).toBe(1000);
    expect(shares.begin().left(one)).toBe(1010);
  });

  it('is used up by what a reaction takes beyond 10 ms for each trigger', () => {
    const shares = new TimeShares(1000);
    for (let trigger = 0; trigger < 10; trigger++) spend(shares, 60, trigger % 2 === 0 ? one : other);
    expect(shares.left).toBe(500);
    const time = shares.begin();
    time.spend(one, 60);
    expect(time.left(one)).toBe(450);
    expect(time.left(other)).toBe(460);
  });

  it('is shared by all reactions to one trigger', () => {
    const time = new TimeShares(1000).begin();
    const others = Array.from({ length: 110 }, (_, count) => reactionOf(String(count)));
    for (const each of others) time.spend(each, 10);
    expect(time.left(one)).toBeCloseTo(0);
    expect(time.takeSlowest()).toHaveLength(100);
  });

  it('is measured for a trigger by what all reactions take beyond 100 ms, or each beyond 10 ms, whichever is more', () => {
    const shares = new TimeShares(1000);
    const time = shares.begin();
    time.spend(one, 100);
    expect(shares.left).toBe(910);
    for (let count = 0; count < 8; count++) time.spend(reactionOf(String(count)), 10);
    expect(shares.left).toBe(910);
    time.spend(other, 20);
    expect(shares.left).toBe(900);
    expect(time.left(other)).toBe(900);
  });

  it('comes back as time passes, a tenth of it for all reactions together, however long a trigger took', () => {
    const shares = new TimeShares(1000);
    spend(shares, 20_000);
    spend(shares, 20_000, other);
    expect(shares.left).toBeCloseTo(0);
    expect(shares.begin().left(one)).toBeCloseTo(10);
    now += 5000;
    expect(shares.left).toBeCloseTo(500);
    now += 60_000;
    expect(shares.left).toBe(1000);
  });

  it('is used up by the reaction that has held up the others for longest, and not by one that is at work last', () => {
    const shares = new TimeShares(1000);
    spend(shares, 900);
    const time = shares.begin();
    time.spend(one, 1);
    time.spend(other, 310);
    expect(time.left(other)).toBe(0);
    expect(time.takeSlowest()[0]).toBe(one);
  });
});

describe('a slow reaction', () => {
  const stayFor = (returns: Returns, isIdle = false): number => {
    const start = now;
    while (!returns.mayReturn(one)) now += 100;
    returns.noteReturned(one, isIdle);
    return now - start;
  };

  it('stays apart until it was not slow for a second, and twice as long each time that it is slow again soon', () => {
    const returns = new Returns();
    returns.noteSlow(one);
    expect(stayFor(returns)).toBe(1000);
    for (const milliseconds of [2000, 4000, 8000]) {
      now += 500;
      returns.noteSlow(one);
      expect(stayFor(returns)).toBe(milliseconds);
    }
    now += 80_000;
    returns.noteSlow(one);
    expect(stayFor(returns)).toBe(1000);
  });

  it('stays apart for twice as long where it has returned without a trigger and is slow within an hour', () => {
    const returns = new Returns();
    returns.noteSlow(one);
    expect(stayFor(returns, true)).toBe(1000);
    now += 3_599_000;
    returns.noteSlow(one);
    expect(stayFor(returns, true)).toBe(2000);
    now += 3_600_000;
    returns.noteSlow(one);
    expect(stayFor(returns, true)).toBe(1000);
  });

  it('stays apart for a second after its ruleset is edited', () => {
    const returns = new Returns();
    returns.noteSlow(one);
    expect(stayFor(returns)).toBe(1000);
    returns.noteSlow(one);
    expect(stayFor(returns)).toBe(2000);
    const edited = { ...one, version: 2 };
    returns.noteSlow(edited);
    expect(returns.mayReturn(edited)).toBe(false);
    now += 1000;
    expect(returns.mayReturn(edited)).toBe(true);
  });

  it('stays apart for a second where another process has set it aside', () => {
    expect(stayFor(new Returns())).toBe(1000);
  });
});
