import { hkdfSync } from 'node:crypto';

const keyBytes = 32;

/** A key of 32 bytes for one purpose; keys for different purposes tell nothing about each other or the secret (HKDF, RFC 5869). */
export function derivedKey(secret: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `serverless-lrs ${purpose}`, keyBytes));
}
