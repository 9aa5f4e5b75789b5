import { describe, expect, it } from 'vitest';
import { SecretBox } from '../../../lib/credentials/secret-box.ts';

describe('a secret box', () => {
  const box = new SecretBox('key');

  it('opens what it sealed, for the same owner', () => {
    expect(box.open(box.seal('sécret', 'a'), 'a')).toBe('sécret');
    expect(box.open(box.seal('', 'a'), 'a')).toBe('');
  });

  it('seals the same text differently each time', () => {
    expect(box.seal('secret', 'a')).not.toEqual(box.seal('secret', 'a'));
  });

  it('does not open for another owner, with another key, or what was changed', () => {
    const sealed = box.seal('secret', 'a');
    expect(() => box.open(sealed, 'b')).toThrow(/credentialKey/);
    expect(() => new SecretBox('other').open(sealed, 'a')).toThrow(/credentialKey/);
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => box.open(changed, 'a')).toThrow();
    }
  });

  it('tells by the hash whether a text is the one that was hashed, with the same key only', () => {
    expect(box.matches('secret', box.hash('secret'))).toBe(true);
    expect(box.matches('secre', box.hash('secret'))).toBe(false);
    expect(box.matches('secret', new SecretBox('other').hash('secret'))).toBe(false);
    expect(box.matches('secret', Buffer.alloc(0))).toBe(false);
  });
});
