import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../derived-key.ts';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Keeps short secrets at rest: as a keyed hash to compare with, and encrypted to show them again. */
export class SecretBox {
  readonly #hashKey: Buffer;
  readonly #sealKey: Buffer;

  constructor(secret: Buffer | string) {
    this.#hashKey = derivedKey(secret, 'credential hash');
    this.#sealKey = derivedKey(secret, 'credential seal');
  }

  /** HMAC-SHA-256. */
  hash(text: string): Buffer {
    return createHmac('sha256', this.#hashKey).update(text).digest();
  }

  /** Whether the text has the hash, in a time that does not tell how nearly. */
  matches(text: string, hash: Buffer): boolean {
    const own = this.hash(text);
    return own.length === hash.length && timingSafeEqual(own, hash);
  }

  /** AES-256-GCM: nonce, tag, ciphertext. Only opens again for the same `owner`. */
  seal(text: string, owner: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#sealKey, nonce).setAAD(Buffer.from(owner));
    const content = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    return Buffer.concat([nonce, sealing.getAuthTag(), content]);
  }

  /** @throws Error when it was sealed with another key, for another owner, or was changed since. */
  open(sealed: Buffer, owner: string): string {
    const nonce = sealed.subarray(0, nonceBytes);
    const opening = createDecipheriv(cipher, this.#sealKey, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(owner))
      .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      return (
        opening.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + opening.final('utf8')
      );
    } catch (cause) {
      throw new Error(
        `The stored secret key of credential ${owner} was not made with the present credentialKey.`,
        { cause },
      );
    }
  }
}
