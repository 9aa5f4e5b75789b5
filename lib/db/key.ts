import { hash } from 'node:crypto';

/** A key for a text of any length: 16 bytes as lower-case hex. */
export type Key = string;

/**
 * Half of a SHA-256 hash, so nobody can construct two texts with the same key. A lone surrogate, which JSON may contain,
 * has no UTF-8; such a text is hashed as UTF-16, whose zero bytes occur in no other text, because U+0000 is refused
 * everywhere.
 */
export function keyOf(text: string): Key {
  const bytes = text.isWellFormed() ? text : Buffer.from(text, 'utf16le');
  return hash('sha256', bytes, 'hex').slice(0, 32);
}
