import { randomBytes } from 'node:crypto';

/** The time of the id that was made last. */
let latest = 0;

/**
 * A UUID of version 7. Those that a process makes sort as they were made: of several in one millisecond the later ones have a
 * later time (RFC 9562 section 6.2).
 */
export function sequentialId(milliseconds = Date.now()): string {
  latest = Math.max(milliseconds, latest + 1);
  const bytes = randomBytes(16);
  bytes.writeUIntBE(latest, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
