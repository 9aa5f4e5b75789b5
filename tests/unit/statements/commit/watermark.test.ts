import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../lib/db/types.ts';
import { PositionClock } from '../../../../lib/position.ts';
import { Watermark } from '../../../../lib/statements/commit/watermark.ts';

/** A primary with replicas, which is asked for the end of its log from time to time. */
class StandIn {
  readonly watermark: Watermark;
  /** How often it was asked for the newest position. */
  asked = 0;
  newest = 100;
  #question = (): void => {};

  constructor() {
    const db = {
      dialect: { isReplicated: false },
      replicas: {
        onQuestion: (callback: () => void) => {
          this.#question = callback;
        },
      },
      tryLockRead: async () => {
        this.asked += 1;
        return { row: { newest: this.newest, event: null, watermark: 0, now: null }, unlocked: false };
      },
    } as unknown as Database;
    this.watermark = new Watermark(db, new PositionClock());
  }

  /** The primary is asked for the end of its log. */
  async question(): Promise<void> {
    this.#question();
    await vi.advanceTimersByTimeAsync(0);
  }
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('the consistent-through watermark with replicas', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is read with a question to the primary before it is stale, so that the next reader asks nothing', async () => {
    const standIn = new StandIn();
    expect(await standIn.watermark.current()).toBe(100);
    expect(standIn.watermark.current()).toBe(100);
    standIn.newest = 200;
    await pass(30);
    await standIn.question();
    expect(standIn.asked).toBe(2);
    await pass(30);
    expect(standIn.watermark.current()).toBe(200);
    expect(standIn.asked).toBe(2);
  });

  it('is not read with a question to the primary while it is new, or nobody has asked for it since', async () => {
    const standIn = new StandIn();
    await standIn.question();
    expect(standIn.asked).toBe(0);
    await standIn.watermark.current();
    await pass(1000);
    await standIn.question();
    expect(standIn.asked).toBe(1);
    await standIn.watermark.current();
    void standIn.watermark.current();
    await standIn.question();
    expect(standIn.asked).toBe(2);
  });
});
