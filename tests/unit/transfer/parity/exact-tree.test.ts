import { expect, it } from 'vitest';
import { exactTree } from '../../../../lib/transfer/parity/exact-tree.ts';
import { leastProcessorTimes } from '../../../support/processor-time.ts';

const canonical = (text: string): string => JSON.stringify(exactTree(`{"a":[${text}]}`));

it.each([
  ['0.1', '0.10000000000000000001'],
  ['12345678901234567890', '12345678901234567891'],
  ['9007199254740992', '9007199254740993'],
  ['1e400', '1e401'],
  ['1e400', '-1e400'],
  ['1e400', 'null'],
  ['1e-400', '0'],
  ['1e400', '"1e400"'],
  ['1e-100000000000000000000', '1e100000000000000000000'],
  ['1e-100000000000000000000', '1e-100000000000000000001'],
  ['1e-100000000000000000000', '1e-99999999999999999999'],
  ['1e-100000000000000000000', '2e-100000000000000000000'],
  ['1e-100000000000000000000', '0'],
])('%s and %s are different values', (one, other) => {
  expect(canonical(one)).not.toBe(canonical(other));
});

it.each([
  ['1.0', '1'],
  ['1e2', '100.00'],
  ['100E-2', '1'],
  ['-0', '0'],
  ['0e99', '0'],
  ['1e400', '10.0e399'],
  ['12345678901234567890.0', '1234567890123456789e1'],
  ['0.10000000000000000', '0.1'],
  ['1e-99999999999999999999', '0.1E-0099999999999999999998'],
  ['1e100000000000000000000', '1.0E+00100000000000000000000'],
])('%s and %s are the same value', (one, other) => {
  expect(canonical(one)).toBe(canonical(other));
});

it('digits in a text are no number', () => {
  expect(exactTree('{"a":": 12345678901234567891","b":1e2}')).toEqual({
    a: ': 12345678901234567891',
    b: 100,
  });
});

it('a number of many zeros is compared in a moment', () => {
  const zeros = '0'.repeat(1_000_000);
  expect(canonical(`0.${zeros}1`)).not.toBe(canonical(`0.${zeros}2`));
});

it('an exponent of a million digits takes about as long as a fraction of a million digits', async () => {
  const read = (start: string) => {
    const text = `{"a":${start}${'7'.repeat(1_000_000)}}`;
    return () => exactTree(text);
  };
  const [fraction = 0, exponent] = await leastProcessorTimes(read('0.'), read('1e-'));
  expect(exponent).toBeLessThan(10 * Math.max(1, fraction));
});
