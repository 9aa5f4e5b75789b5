import { describe, expect, it } from 'vitest';
import { BusyTime } from '../../lib/busy-time.ts';

/** Work that goes on until it is told to end. */
function held(): { readonly work: () => Promise<void>; readonly end: () => void } {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end: () => end() };
}

describe('The time for which work is under way', () => {
  it('counts work at the same moment once, and the time between works not at all', async () => {
    let now = 100;
    const busy = new BusyTime(() => now);
    const [one, other] = [held(), held()];
    const first = busy.during(one.work);
    now = 110;
    const second = busy.during(other.work);
    now = 130;
    expect(busy.milliseconds).toBe(30);
    one.end();
    await first;
    now = 140;
    other.end();
    await second;
    now = 200;
    expect(busy.milliseconds).toBe(40);
    await busy.during(async () => {
      now = 205;
    });
    expect(busy.milliseconds).toBe(45);
  });

  it('ends with work that fails', async () => {
    let now = 0;
    const busy = new BusyTime(() => now);
    await expect(busy.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    now = 10;
    expect(busy.milliseconds).toBe(0);
  });
});
