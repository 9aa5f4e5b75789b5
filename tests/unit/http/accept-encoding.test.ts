import { expect, it } from 'vitest';
import { preferredCoding } from '../../../lib/http/accept-encoding.ts';

it.each([
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip, compress, deflate, zstd', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=0.8, br;q=0.2', 'gzip'],
  ['gzip ; q=1.000 ,br; Q=0.999', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0.5, gzip', 'gzip'],
  ['gzip, identity', 'gzip'],
  ['identity;q=0, gzip;q=0.001', 'gzip'],
  ['gzip;q=0.5, identity', undefined],
  ['gzip;q=0', undefined],
  ['*;q=0', undefined],
  ['identity;q=0', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip;q=2', undefined],
  ['gzip;q=much', undefined],
  ['gzip;level=9', undefined],
  [',,;', undefined],
  ['', undefined],
])('a client that accepts %j is best served by %s (RFC 9110 12.5.3)', (header, coding) => {
  expect(preferredCoding(header)).toBe(coding);
});
