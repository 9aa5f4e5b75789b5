import { textDigest } from '../text-digest.ts';

/** A key for a text of any length: 16 bytes as lower-case hex. */
export type Key = string;

/** Half of a SHA-256 hash, so nobody can construct two texts with the same key. */
export function keyOf(text: string): Key {
  return textDigest(text).slice(0, 32);
}
