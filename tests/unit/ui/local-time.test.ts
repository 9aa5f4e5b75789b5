import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { localOf, timestampOf } from '../../../ui/src/xapi/local-time.ts';

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/Berlin');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it('tells a time of the operator’s time zone', () => {
  expect(localOf('2020-07-01T12:00:00Z')).toBe('2020-07-01T14:00:00');
  expect(timestampOf('2020-07-01T14:00:00')).toBe('2020-07-01T12:00:00.000Z');
  expect([localOf(''), timestampOf('')]).toEqual(['', '']);
});

it.each(['0002-01-01T00:00:00', '0020-01-01T12:30:00', '0202-01-01T00:00:00'])(
  'leaves %s as it is while the year is typed',
  (typed) => {
    expect(localOf(timestampOf(typed))).toBe(typed);
  },
);
