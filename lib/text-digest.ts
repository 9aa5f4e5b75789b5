import { hash } from 'node:crypto';

/**
 * The SHA-256 hash of a text in lower-case hex. A lone surrogate, which JSON may contain, has no UTF-8; such a text is hashed as
 * UTF-16, whose zero bytes occur in no other text, because U+0000 is refused everywhere.
 */
export function textDigest(text: string): string {
  return hash('sha256', text.isWellFormed() ? text : Buffer.from(text, 'utf16le'), 'hex');
}
