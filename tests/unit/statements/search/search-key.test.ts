import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  KeyPositions,
  keysFromBytes,
  keysOf,
  keysToBytes,
  searchKey,
} from '../../../../lib/statements/search/search-key.ts';
import { agent, authority, statement } from '../../../support/statements.ts';

describe('a search key', () => {
  it('is 16 bytes, the same for the same value and different for another kind or value', () => {
    const key = searchKey('verb', 'https://example.org/v');
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(searchKey('verb', 'https://example.org/v')).toBe(key);
    expect(searchKey('activity', 'https://example.org/v')).not.toBe(key);
    expect(searchKey('verb', 'https://example.org/V')).not.toBe(key);
  });

  it('differs for texts that differ in half a surrogate pair only', () => {
    const halves = ['\ud800', '\ud801', '\udc00', '\ufffd', ''];
    const keys = halves.map((half) => searchKey('agent', `account::${half}@https://example.org`));
    expect(new Set(keys).size).toBe(halves.length);
  });

  it('stays the same when so many others were asked for that it is forgotten', () => {
    const key = searchKey('verb', 'first');
    for (let index = 0; index < 50_000; index += 1) searchKey('registration', String(index));
    expect(searchKey('verb', 'first')).toBe(key);
    expect(searchKey('verb', 'x'.repeat(10_000))).toBe(searchKey('verb', 'x'.repeat(10_000)));
  });

  it('keeps what others inherit apart from who vouches for the statement', () => {
    const { inheritable, ownOnly } = keysOf({ ...statement({ actor: agent('ann') }), authority });
    expect(inheritable).toContain(searchKey('agent', 'mbox::mailto:ann@example.org'));
    expect(ownOnly).toEqual([searchKey('authority', 'account::key@https://lrs.example')]);
  });

  it('survives being written as bytes', () => {
    const hex = fc
      .uint8Array({ minLength: 16, maxLength: 16 })
      .map((bytes) => Buffer.from(bytes).toString('hex'));
    fc.assert(
      fc.property(fc.array(hex), (keys) => {
        expect(keysFromBytes(Buffer.from(keysToBytes(keys), 'hex'))).toEqual(keys);
      }),
    );
  });

  it('gathers positions, and sorts them by key', () => {
    const entries = new KeyPositions();
    entries.addAll(['b', 'a'], 1, 10);
    entries.add('b', 2, 20);
    entries.add('a', 3, -1);
    expect(entries).toEqual({
      keys: ['b', 'a', 'b', 'a'],
      numbers: [1, 1, 2, 3],
      masks: [10, 10, 20, -1],
    });
    expect(entries.sorted()).toEqual({
      keys: ['a', 'a', 'b', 'b'],
      numbers: [1, 3, 1, 2],
      masks: [10, -1, 10, 20],
    });
  });
});
