import { isIPv6 } from 'node:net';
import { plainAddress } from '../plain-address.ts';

const groupsOfNetwork = 4;
const groupsOfAddress = 8;
const unknown = 'unknown';

/**
 * The network that an address stands for: an IPv4 address itself, of IPv6 the first 64 bits, because whoever has one
 * address there has them all. A port does not count, and all texts that are no address count together.
 */
export function networkOf(text: string | undefined): string {
  const address = plainAddress(text ?? '');
  if (address === undefined) return unknown;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*/, '').split('::');
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = Array<string>(Math.max(0, groupsOfAddress - before.length - after.length)).fill('0');
  const all = tail === undefined ? before : [...before, ...zeros, ...after];
  return `${all
    .slice(0, groupsOfNetwork)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

const groups = (text: string): string[] => text.split(':').filter((group) => group !== '');
