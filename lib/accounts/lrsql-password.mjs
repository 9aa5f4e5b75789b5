import { timingSafeEqual } from 'node:crypto';
import { rawBcrypt } from './raw-bcrypt.mjs';

/**
 * Hashes of passwords as lrsql has them: `bcrypt+sha512$SALT$COST$HASH`, salt and hash in hexadecimal, where the hash is bcrypt of
 * the SHA-512 digest of the password (the library buddy-hashers).
 */
const pattern = /^bcrypt\+sha512\$([0-9a-f]{32})\$(\d{1,2})\$([0-9a-f]{48})$/;

/** Whoever can write hashes must not keep a processor busy with one of them for minutes. */
const highestCost = 14;

/** @param {number} cost */
export function isUsableCost(cost) {
  return cost >= 4 && cost <= highestCost;
}

/** @param {string} hash */
export function isLrsqlHash(hash) {
  return isUsableCost(Number(pattern.exec(hash)?.[2] ?? highestCost + 1));
}

/**
 * @param {string} digest the SHA-512 digest of the password in base64
 * @param {string} hash
 */
export function matchesLrsqlHash(digest, hash) {
  const [, salt = '', cost = '', expected = ''] = pattern.exec(hash) ?? [];
  const found = rawBcrypt(Buffer.from(digest, 'base64'), Buffer.from(salt, 'hex'), Number(cost));
  return timingSafeEqual(found, Buffer.from(expected, 'hex'));
}
