import { createHash } from 'node:crypto';
import { compareSync, hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { isLrsqlHash, matchesLrsqlHash } from '../../../lib/accounts/lrsql-password.mjs';
import { PasswordHasher } from '../../../lib/accounts/password-hasher.ts';
import { rawBcrypt } from '../../../lib/accounts/raw-bcrypt.mjs';

/** Made by buddy-hashers: of `test`, from its own tests, and of `admin`. */
const known = [
  [
    'test',
    'bcrypt+sha512$b932bf208c7f3ecb563eebe89c39115b$12$bc3633d1f07c47edd91f0e7cf5649b040ea868cec63cda31',
  ],
  [
    'admin',
    'bcrypt+sha512$86186fc28f83b3e3db78bcf8350a3a57$12$8f215420e68fd7922561167b07354f05d8db6d49e212689e',
  ],
] as const;
const digest = (password: string): string => createHash('sha512').update(password).digest('base64');

describe('bcrypt over bytes', () => {
  const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

  /** The bytes of bcrypt's base64. */
  function bytesOf(text: string, length: number): Buffer {
    const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(6, '0')).join('');
    return Buffer.from(
      Array.from({ length }, (_, index) => Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2)),
    );
  }

  it.each(['', 'a', 'correct horse', 'Ü'.repeat(30)])(
    'gives what bcryptjs gives for a text and a zero byte: %j',
    (text) => {
      const hash = hashSync(text, 4);
      const salt = bytesOf(hash.slice(7, 29), 16);
      const raw = rawBcrypt(Buffer.concat([Buffer.from(text), Buffer.alloc(1)]), salt, 4);
      expect(raw.subarray(0, 23)).toEqual(bytesOf(hash.slice(29), 23));
      expect(compareSync(text, hash)).toBe(true);
    },
  );
});

describe('hashes of lrsql', () => {
  it.each(known)('are matched by their password, %s, and no other', (password, hash) => {
    expect(isLrsqlHash(hash)).toBe(true);
    expect(matchesLrsqlHash(digest(password), hash)).toBe(true);
    expect(matchesLrsqlHash(digest(`${password}!`), hash)).toBe(false);
  });

  it('are checked in the thread that checks others', async () => {
    const hasher = new PasswordHasher();
    const [[password, hash]] = known;
    expect(await hasher.matches(password, hash)).toBe(true);
    expect(await hasher.matches('other', hash)).toBe(false);
    const own = await hasher.hash(password);
    expect([hasher.isForeign(hash), hasher.isForeign(own)]).toEqual([true, false]);
    expect(await hasher.matches(password, own)).toBe(true);
  });

  it('with a cost that would take minutes are none', () => {
    expect(isLrsqlHash(known[0][1].replace('$12$', '$24$'))).toBe(false);
  });
});
