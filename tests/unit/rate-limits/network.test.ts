import { describe, expect, it } from 'vitest';
import { networkOf } from '../../../lib/rate-limits/network.ts';

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['203.0.113.7:1234', '203.0.113.7'],
    ['203.0.113.7:', '203.0.113.7'],
    ['[203.0.113.7]:1234', '203.0.113.7'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:1234', '2001:db8:1:2::/64'],
    ['[::ffff:203.0.113.7]:1234', '203.0.113.7'],
    ['203.0.113.7:1234:5', 'unknown'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('is the same for all addresses that one customer has in IPv6, and another for the next', () => {
    expect(networkOf('2001:db8:1:2:ffff::9')).toBe(networkOf('2001:db8:1:2::1'));
    expect(networkOf('2001:db8:1:3::1')).not.toBe(networkOf('2001:db8:1:2::1'));
  });
});
