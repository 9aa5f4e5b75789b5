import { describe, expect, it } from 'vitest';
import { planOf } from '../../../ui/src/session/plan.ts';

const minute = 60_000;
/** An hour that is renewed in its 59th minute at the latest, of who was active in the last ten. */
const times = { issued: 0, ends: 60 * minute, canRenew: true, interval: 59 * minute, window: 10 * minute };
const awake = { isWarned: false, pausedUntil: 0 };

describe('the plan of a session', () => {
  it.each([
    ['waits while the token is young', 5, 5, { step: 'wait', until: 56 * minute }],
    ['renews who is active, long before the end', 56, 50, { step: 'renew' }],
    ['waits for who is not active, as he may come back', 56, 40, { step: 'wait', until: 58 * minute }],
    ['renews who comes back', 57, 57, { step: 'renew' }],
    ['warns who does not', 58, 40, { step: 'warn' }],
    ['ends with the token', 60, 60, { step: 'end' }],
  ])('%s', (_, now, lastActive, plan) => {
    const situation = { ...awake, now: now * minute, lastActive: lastActive * minute };
    expect(planOf(times, situation)).toEqual(plan);
  });

  it('warns who is active, too, where nothing can be renewed', () => {
    const situation = { ...awake, now: 58 * minute, lastActive: 58 * minute };
    expect(planOf({ ...times, canRenew: false }, situation)).toEqual({ step: 'warn' });
  });

  it('does nothing behind the back of who is being asked', () => {
    const situation = { ...awake, now: 58 * minute, lastActive: 58 * minute, isWarned: true };
    expect(planOf(times, situation)).toEqual({ step: 'warn' });
  });

  it('tries a renewal that has failed again after a pause, and warns when the end is near', () => {
    const failed = (now: number) =>
      planOf(times, { ...awake, now, lastActive: now, pausedUntil: now + 15_000 });
    expect(failed(57 * minute)).toEqual({ step: 'wait', until: 57 * minute + 15_000 });
    expect(failed(58 * minute)).toEqual({ step: 'warn' });
  });

  it('leaves a third of a short life for the warning', () => {
    const short = { ...times, ends: minute, interval: minute, window: 10_000 };
    expect(planOf(short, { ...awake, now: 40_000, lastActive: 0 })).toEqual({ step: 'warn' });
  });
});
