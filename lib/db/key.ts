import { hash } from 'node:crypto';

/** 16 bytes as lower-case hex that stand in a key for a text of any length. */
export type Key = string;

/**
 * Half of a SHA-256 hash: nobody can make up two texts that share a key. Half a surrogate pair, which JSON may hold, has no
 * UTF-8; a text with one is hashed as UTF-16, whose zero bytes no other text has, because U+0000 is refused everywhere.
 */
export function keyOf(text: string): Key {
  const bytes = text.isWellFormed() ? text : Buffer.from(text, 'utf16le');
  return hash('sha256', bytes, 'hex').slice(0, 32);
}
