import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PositionClock, storedText } from '../../lib/position.ts';
import { isTimestamp, timestampToMicroseconds } from '../../lib/xapi/timestamp.ts';

describe('the text of a position', () => {
  it('is a timestamp that means the same microsecond', () => {
    expect(storedText(1_795_177_877_089_007)).toBe('2026-11-20T12:31:17.089007Z');
    fc.assert(
      fc.property(fc.nat(9_000_000_000_000_000), (position) => {
        const text = storedText(position);
        expect(isTimestamp(text, '1.0.3')).toBe(true);
        expect(timestampToMicroseconds(text)).toBe(position);
      }),
    );
  });

  it('sorts as the position does', () => {
    const positions = fc.tuple(fc.nat(9_000_000_000_000_000), fc.nat(9_000_000_000_000_000));
    fc.assert(
      fc.property(positions, ([a, b]) => {
        expect(storedText(a) < storedText(b)).toBe(a < b);
      }),
    );
  });
});

describe('a clock of positions', () => {
  it('follows the time, but never gives a position twice or out of order', () => {
    let now = 1000;
    const clock = new PositionClock(() => now);
    expect(clock.take(3, { now: clock.now(), newest: 0 })).toBe(1000);
    expect(clock.take(1, { now: clock.now(), newest: 1002 })).toBe(1003);
    now = 500;
    expect(clock.take(1, { now: clock.now(), newest: 1003 })).toBe(1004);
    expect(clock.take(1, { now: clock.now(), newest: 9000 })).toBe(9001);
    now = 20_000;
    expect(clock.take(1, { now: clock.now(), newest: 9001 })).toBe(20_000);
  });

  it('gives out no watermark beyond the given time and the newest stored position, whatever positions it has taken', () => {
    const clock = new PositionClock(() => 1000);
    clock.take(500, { now: clock.now(), newest: 0 });
    expect(clock.watermark(0, 700)).toBe(699);
    expect(clock.watermark(800, 700)).toBe(800);
    expect(clock.take(1, { now: clock.now(), newest: 800 })).toBe(1500);
  });

  it('goes by the clock of the server where there is one', () => {
    const clock = new PositionClock();
    expect(clock.timeOf(5000, 3000)).toBe(3000);
    expect(clock.timeOf(5000, null)).toBe(5000);
    expect(new PositionClock(() => 1).timeOf(5000, 3000)).toBe(5000);
  });

  it('takes no position at or before a watermark that it has given out', () => {
    let now = 1000;
    const clock = new PositionClock(() => now);
    expect(clock.watermark(0, 1000)).toBe(999);
    now = 100;
    expect(clock.take(1, { now: clock.now(), newest: 0 })).toBe(1000);
    expect(clock.watermark(5000, 100)).toBe(5000);
    expect(clock.take(1, { now: clock.now(), newest: 5000 })).toBe(5001);
  });
});
