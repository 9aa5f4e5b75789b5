import { expect, it } from 'vitest';
import { momentOf } from '../../../ui/src/xapi/moment.ts';

it.each([
  ['2020-01-02T03:04:05.678901+01', '2020-01-02T02:04:05.678Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2020-01-02T03:04:05', '2020-01-02T03:04:05.000Z'],
  ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
])('reads the timestamp %s', (timestamp, moment) => {
  expect(new Date(momentOf(timestamp)).toISOString()).toBe(moment);
});

it.each(['', 'yesterday'])('takes %j for no time', (text) => {
  expect(momentOf(text)).toBeNaN();
});
