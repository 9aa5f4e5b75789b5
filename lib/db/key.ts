import { hash } from 'node:crypto';

/** 16 bytes as lower-case hex that stand in a key for a text of any length. */
export type Key = string;

/** Half of a SHA-256 hash: nobody can make up two texts that share a key. */
export function keyOf(text: string): Key {
  return hash('sha256', text, 'hex').slice(0, 32);
}
