import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRefusalLog } from '../../../lib/adapter/refusal-log.ts';
import { measureInto } from '../../../lib/telemetry/measure.ts';
import type { Measurements } from '../../../lib/telemetry/types.ts';

afterEach(() => {
  vi.useRealTimers();
  measureInto(undefined);
});

describe('the log of refused connections', () => {
  it('has one line per minute at most, with the number refused by each limit', () => {
    vi.useFakeTimers();
    const warn = vi.fn();
    const note = createRefusalLog({ warn });
    const refused = () => warn.mock.calls.map(([entry]) => entry.refused);
    for (const title of ['a', 'a', 'b', 'a']) note({ setting: `setting of ${title}`, title });
    expect(refused()).toEqual([{ a: 1 }]);
    vi.advanceTimersByTime(60_000);
    expect(refused()).toEqual([{ a: 1 }, { a: 2, b: 1 }]);
    vi.advanceTimersByTime(120_000);
    note({ setting: 'setting of b', title: 'b' });
    expect(refused()).toEqual([{ a: 1 }, { a: 2, b: 1 }, { b: 1 }]);
  });

  it('counts them in the metrics by the name of the setting', () => {
    const refused = vi.fn();
    measureInto({ refused } satisfies Partial<Measurements> as unknown as Measurements);
    const title = 'webserver.maxConnectionsPerAddress (LRS_MAX_CONNECTIONS_PER_ADDRESS)';
    createRefusalLog({ warn() {} })({ setting: 'maxConnectionsPerAddress', title });
    expect(refused.mock.calls).toEqual([['unavailable', 'maxConnectionsPerAddress']]);
  });
});
