import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, ConnectionError } from '../../../ui/src/api/errors.ts';
import { type Hold, Patience } from '../../../ui/src/screens/upload/engine/patience.ts';

const away = new ConnectionError('away');
const answer = (status: number, retryAfter?: number): ApiError =>
  new ApiError(status, { error: 'no' }, { retryAfter });

describe('the patience of an upload', () => {
  let holds: (Hold['kind'] | undefined)[];
  let tries: number[];
  let abort: AbortController;
  let patience: Patience;

  beforeEach(() => {
    vi.useFakeTimers();
    holds = [];
    tries = [];
    abort = new AbortController();
    patience = new Patience(abort.signal, (hold) => holds.push(hold?.kind));
  });
  afterEach(() => vi.useRealTimers());

  /** Seconds from the start to each try of work that fails with these errors one after another, then succeeds. */
  const insist = (...errors: readonly Error[]): Promise<string> => {
    const start = Date.now();
    return patience.insist(
      async () => {
        tries.push((Date.now() - start) / 1000);
        const error = errors[tries.length - 1];
        if (error !== undefined) throw error;
        return 'done';
      },
      (error) => error instanceof ApiError && error.status === 400,
    );
  };

  it('waits longer each time that there is no answer', async () => {
    const work = insist(away, away, away, away);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await work).toBe('done');
    expect(tries).toEqual([0, 1, 3, 7, 15]);
    expect(holds).toEqual(Array.from({ length: 4 }, () => ['waiting', undefined]).flat());
  });

  it('waits as long as a busy server wants', async () => {
    const work = insist(answer(503, 20), answer(429), answer(500));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await work).toBe('done');
    expect(tries).toEqual([0, 20, 22, 26]);
  });

  it('asks somebody after a minute, and begins anew when told to go on', async () => {
    const work = insist(...Array.from({ length: 8 }, () => away));
    await vi.advanceTimersByTimeAsync(600_000);
    expect([tries.length, holds.at(-1)]).toEqual([7, 'stopped']);
    patience.goOn();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await work).toBe('done');
  });

  it('asks somebody at once when waiting does not help', async () => {
    const work = insist(answer(403));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(holds).toEqual(['stopped']);
    patience.goOn();
    expect(await work).toBe('done');
  });

  it('tries at once when told to', async () => {
    const work = insist(answer(503, 100));
    await vi.advanceTimersByTimeAsync(1000);
    patience.goOn();
    expect(await work).toBe('done');
    expect(tries).toEqual([0, 1]);
  });

  it('does nothing while it is paused', async () => {
    patience.pause();
    const work = insist();
    await vi.advanceTimersByTimeAsync(600_000);
    expect([tries, holds]).toEqual([[], ['paused']]);
    patience.goOn();
    expect(await work).toBe('done');
  });

  it('ends with what is an answer, and when it is aborted', async () => {
    await expect(insist(answer(400))).rejects.toThrow('no');
    tries = [];
    const work = insist(away);
    const ended = expect(work).rejects.toThrow('aborted');
    await vi.advanceTimersByTimeAsync(500);
    abort.abort();
    await ended;
    expect(tries).toEqual([0]);
  });
});
