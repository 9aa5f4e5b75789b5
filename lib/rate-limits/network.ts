import { isIPv6 } from 'node:net';
import { plainAddress } from '../plain-address.ts';

const groupsOfNetwork = 4;
const groupsOfAddress = 8;
const unknown = 'unknown';

/** The first six groups of IPv6 addresses that end with an IPv4 address. */
const mappedPrefixes: ReadonlySet<string> = new Set([
  // IPv4-mapped (RFC 4291 2.5.5.2)
  '0:0:0:0:0:ffff',
  // IPv4-translated, by SIIT (RFC 2765 2.1)
  '0:0:0:0:ffff:0',
  // NAT64 (RFC 6052 2.1)
  '64:ff9b:0:0:0:0',
]);

/**
 * The network that an address stands for: an IPv4 address itself, also where it is mapped or translated into IPv6, of IPv6
 * the first 64 bits, because whoever has one address there has them all. A port does not count, and all texts that are no
 * address count together.
 */
export function networkOf(text: string | undefined): string {
  const address = plainAddress(text ?? '');
  if (address === undefined) return unknown;
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address.replace(/%.*/, ''));
  const [high = 0, low = 0] = groups.slice(-2);
  if (mappedPrefixes.has(written(groups.slice(0, -2)))) return [...bytesOf(high), ...bytesOf(low)].join('.');
  return `${written(groups.slice(0, groupsOfNetwork))}::/64`;
}

const written = (groups: readonly number[]): string => groups.map((group) => group.toString(16)).join(':');

/** The eight groups of 16 bits of an IPv6 address, however it is written. */
function groupsOf(address: string): number[] {
  const [before = [], after] = address.split('::').map(writtenGroups);
  if (after === undefined) return before;
  const zeros = Array<number>(groupsOfAddress - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

/** The last 32 bits may be written as an IPv4 address. */
const writtenGroups = (text: string): number[] =>
  text
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => {
      if (!group.includes('.')) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
      return [a * 256 + b, c * 256 + d];
    });

const bytesOf = (group: number): [number, number] => [Math.floor(group / 256), group % 256];
