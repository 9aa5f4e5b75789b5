import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRefusalLog } from '../../../lib/adapter/refusal-log.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('the log of refused connections', () => {
  it('has one line per minute at most, with the number refused by each limit', () => {
    vi.useFakeTimers();
    const warn = vi.fn();
    const note = createRefusalLog({ warn });
    const refused = () => warn.mock.calls.map(([entry]) => entry.refused);
    for (const limit of ['a', 'a', 'b', 'a']) note(limit);
    expect(refused()).toEqual([{ a: 1 }]);
    vi.advanceTimersByTime(60_000);
    expect(refused()).toEqual([{ a: 1 }, { a: 2, b: 1 }]);
    vi.advanceTimersByTime(120_000);
    note('b');
    expect(refused()).toEqual([{ a: 1 }, { a: 2, b: 1 }, { b: 1 }]);
  });
});
