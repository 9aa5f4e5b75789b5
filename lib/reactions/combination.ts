import { createHash } from 'node:crypto';
import { textOrder } from './match/compare.ts';

const namespace = Buffer.from('5f1d8c0e6a0b4d5b9c1d3f7a2e4b6c80', 'hex');

/** A reaction, and the version of its ruleset. */
export interface ReactionVersion {
  readonly id: string;
  readonly version: number;
}

/**
 * The id of a combination of statements that a reaction has matched: a UUID of version 5 of the reaction, its version and
 * the ids of the statements, in the order of their conditions' names (RFC 9562 section 5.5).
 * @param matched the id of the statement for each condition, by name.
 */
export function combinationId(
  { id, version }: ReactionVersion,
  matched: Iterable<readonly [name: string, id: string]>,
): string {
  const ids = [...matched].sort(([one], [other]) => textOrder(one, other)).map(([, each]) => each);
  const hash = createHash('sha1')
    .update(namespace)
    .update([id, version, ...ids].join(' '));
  const bytes = hash.digest().subarray(0, 16);
  bytes.writeUInt8(0x50 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
