import { isIPv6 } from 'node:net';
import { plainAddress } from '../plain-address.ts';

const groupsOfNetwork = 4;
const groupsOfAddress = 8;
const unknown = 'unknown';

/**
 * The network that an address stands for: an IPv4 address itself, also where it is mapped into IPv6 (`::ffff:0:0/96`), of IPv6
 * the first 64 bits, because whoever has one address there has them all. A port does not count, and all texts that are no
 * address count together.
 */
export function networkOf(text: string | undefined): string {
  const address = plainAddress(text ?? '');
  if (address === undefined) return unknown;
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address.replace(/%.*/, ''));
  const [high = 0, low = 0] = groups.slice(-2);
  if (isMapped(groups)) return [...bytesOf(high), ...bytesOf(low)].join('.');
  const network = groups.slice(0, groupsOfNetwork);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

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

const isMapped = (groups: readonly number[]): boolean =>
  groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);

const bytesOf = (group: number): [number, number] => [Math.floor(group / 256), group % 256];
