import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binaryArray, withNul, withoutNul } from '../../../../../lib/db/dialects/postgres/array.ts';
import { leastProcessorTimes } from '../../../../support/processor-time.ts';

/** The elements of an array in binary form. */
function elements(array: Buffer): (Buffer | null)[] {
  const found: (Buffer | null)[] = [];
  for (let offset = 20; offset < array.length; ) {
    const length = array.readInt32BE(offset);
    offset += 4;
    found.push(length < 0 ? null : array.subarray(offset, offset + length));
    offset += Math.max(0, length);
  }
  return found;
}

describe('an array in the binary form of Postgres', () => {
  it('says of what, how many, and whether one is missing', () => {
    const array = binaryArray('text', ['a', null, '']);
    expect([0, 4, 8, 12, 16].map((offset) => array.readInt32BE(offset))).toEqual([1, 1, 25, 3, 1]);
    expect(elements(array)).toEqual([Buffer.from('a'), null, Buffer.alloc(0)]);
    expect(binaryArray('bytea', ['00']).readInt32BE(4)).toBe(0);
  });

  it('has no dimension when it is empty', () => {
    const array = binaryArray('int8', []);
    expect(array).toHaveLength(12);
    expect([array.readInt32BE(0), array.readInt32BE(8)]).toEqual([0, 20]);
  });

  it('holds every whole number that a double holds', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
        const read = elements(binaryArray('int8', numbers)).map((bytes) => Number(bytes?.readBigInt64BE()));
        expect(read).toEqual(numbers.map((number) => number + 0));
      }),
    );
  });

  it('holds texts in UTF-8, whatever their length', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        const read = elements(binaryArray('text', texts)).map((bytes) => withNul(String(bytes)));
        expect(read).toEqual(texts);
      }),
    );
  });

  it('takes bytes as they are or as hexadecimal text, and a uuid with its hyphens', () => {
    const bytes = Buffer.from([0, 255, 7]);
    expect(elements(binaryArray('bytea', [bytes, 'ff00', '']))).toEqual([
      bytes,
      Buffer.from([255, 0]),
      Buffer.alloc(0),
    ]);
    const [uuid] = elements(binaryArray('uuid', ['01234567-89ab-cdef-0123-456789abcdef']));
    expect(uuid?.toString('hex')).toBe('0123456789abcdef0123456789abcdef');
  });

  it('keeps a NUL character and its mark apart', () => {
    for (const text of [
      '\0',
      '\uE000',
      '\uE0000\uE0001',
      'a\0\uE000b',
      '\uE001\uEE80\u8080\uE000',
      '\u{100000}\0',
    ]) {
      expect(withoutNul(text)).not.toContain('\0');
      expect(withNul(withoutNul(text))).toBe(text);
      const [ofText, ofBytes] = elements(binaryArray('text', [text, Buffer.from(text)])).map(String);
      expect([ofText, ofBytes]).toEqual([withoutNul(text), withoutNul(text)]);
    }
  });

  it('encodes texts of any of these characters as earlier builds stored them', () => {
    const piece = fc.constantFrom('\0', '\uE000', '\uE001', '0', '1', 'é', '\u{1F600}');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const stored = text.replace(/[\0\uE000]/g, (found) => (found === '\0' ? '\uE0000' : '\uE0001'));
        expect(withoutNul(text)).toBe(stored);
        expect(withNul(stored)).toBe(text);
      }),
    );
  });

  it('leaves a mark with nothing known behind it as it is', () => {
    for (const text of ['\uE000', 'a\uE0002', '\uE000\uE000', '\uE000\u0130'])
      expect(withNul(text)).toBe(text);
  });

  it('takes less than half the processor time of a regular expression for megabytes of marks', async () => {
    const bytes = Buffer.from('\uE000'.repeat(1_300_000));
    const stored = '\uE0001'.repeat(1_300_000);
    const [byExpression = 0, read, written] = await leastProcessorTimes(
      () => stored.replace(/\uE000([01])/g, (_, kind) => kind),
      () => withNul(stored),
      () => binaryArray('text', [bytes]),
    );
    expect(read).toBeLessThan(byExpression / 2);
    expect(written).toBeLessThan(byExpression / 2);
  });
});
