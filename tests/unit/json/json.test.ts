import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { parseJson, parseStoredJson, printJson } from '../../../lib/json/json.ts';
import { growsWithSize } from '../../support/processor-time.ts';

function parseText(text: string) {
  return parseJson(Buffer.from(text, 'utf8'));
}

function refusal(input: string | Buffer): InvalidError {
  try {
    parseJson(Buffer.from(input));
  } catch (error) {
    if (error instanceof InvalidError) return error;
    throw error;
  }
  throw new Error('The text was accepted.');
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

describe('parseJson', () => {
  it('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (tree) => {
        const text = JSON.stringify(tree).replaceAll('\\u0000', '');
        expect(parseText(text).value).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    '{"__proto__":{"a":1}}',
    '{"a":[{},{"__proto__":null}],"constructor":{"prototype":1},"toString":2,"hasOwnProperty":3}',
    '{"\\u005f_proto__":{"a":1.0}}',
    '{"__p\\u0072oto__":[1e2]}',
  ])('keeps names that objects have a meaning for: %s', (text) => {
    const { value, source } = parseText(text);
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(printJson(source)).toBe(text.replaceAll('\\u005f', '_').replaceAll('\\u0072', 'r'));
  });

  it('uses one tree for value and source when every number prints as it came', () => {
    const { value, source } = parseText(
      '{"a":[0,-1,1.5,123456789012345,-0.25],"b":"2021-11-29T23:09:00.860+00:00"}',
    );
    expect(source).toBe(value);
  });

  it('takes a last key over an earlier one of the same name', () => {
    expect(parseText('{"a":1,"a":2}').value).toStrictEqual({ a: 2 });
  });

  it('reads a view into a larger buffer', () => {
    const buffer = Buffer.from('xx{"a":1}xx');
    expect(parseJson(new Uint8Array(buffer.buffer, buffer.byteOffset + 2, 7)).value).toStrictEqual({ a: 1 });
  });

  it.each([
    ['1.0', 1],
    ['0.10', 0.1],
    ['-0', -0],
    ['1e2', 100],
    ['1E+2', 100],
    ['12345678901234567890', Number('12345678901234567890')],
    ['0.1000000000000000055511151231257827', 0.1],
    ['0.0000001', 1e-7],
    ['1e-400', 0],
  ])('keeps the text of %s wherever it stands', (number, value) => {
    for (const [open, close] of [
      ['', ''],
      ['[', ']'],
      ['[1,', ',2]'],
      ['{"a":', '}'],
      ['{"a" : ', ' , "b":"\\\\"}'],
      ['[\n', '\n]'],
    ]) {
      const text = `${open}${number}${close}`;
      const parsed = parseText(text);
      expect(printJson(parsed.source)).toBe(text.replaceAll(/[ \n]/g, ''));
      expect(parsed.value).toStrictEqual(JSON.parse(text));
    }
    expect(parseText(number).value).toBe(value);
  });

  it('marks numbers only, not what looks like one within a string', () => {
    const { value, source } = parseText('{"a":"x, 1.0","b":"\\": 1.0,","c":[1.0]}');
    expect(source).toStrictEqual({ a: 'x, 1.0', b: '": 1.0,', c: ['\u00001.0'] });
    expect(value).toStrictEqual({ a: 'x, 1.0', b: '": 1.0,', c: [1] });
  });

  it('prints strings that spell a mark as the strings they are', () => {
    const text = '{"a":"\\\\u00001.0","b":"\\"\\\\u00001.0","c":1.0}';
    expect(printJson(parseText(text).source)).toBe(text);
  });

  it('prints every source as the text that came, blanks aside', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?$/);
    const string = fc
      .string({ unit: 'grapheme' })
      .map((text) => JSON.stringify(text.replaceAll('\u0000', '')));
    const text = fc.array(fc.oneof(digits, string)).map((items) => `[${items.join(',')}]`);
    fc.assert(
      fc.property(text, (json) => {
        expect(printJson(parseText(json).source)).toBe(json);
      }),
    );
  });
});

describe('parseJson refuses', () => {
  it.each([
    ['{"a":1,}', 'The JSON text is not valid because of "}" at line 1, column 8.'],
    ['{\n  "a" 1}', 'The JSON text is not valid because of "1" at line 2, column 7.'],
    ['[1,2', 'The JSON text ends too early at line 1, column 5.'],
    ['', 'The JSON text ends too early at line 1, column 1.'],
    ['{"a":tru}', 'The JSON text is not valid because of "t" at line 1, column 6.'],
    ['[01]', 'The JSON text is not valid because of "0" at line 1, column 2.'],
    ['[1.]', 'The JSON text is not valid because of "1" at line 1, column 2.'],
    ['["a\nb"]', 'The JSON text is not valid because of "\\n" at line 1, column 4.'],
    ['["\\x"]', 'The JSON text is not valid because of "\\\\" at line 1, column 3.'],
    ['["\\u12g4"]', 'The JSON text is not valid because of "\\\\" at line 1, column 3.'],
    ['["abc]', 'The JSON text ends too early at line 1, column 7.'],
    ['{} {}', 'The JSON text is not valid because of "{" at line 1, column 4.'],
    ['[1}', 'The JSON text is not valid because of "}" at line 1, column 3.'],
    [']', 'The JSON text is not valid because of "]" at line 1, column 1.'],
    ["{'a':1}", 'The JSON text is not valid because of "\'" at line 1, column 2.'],
    ['[😀]', 'The JSON text is not valid because of "😀" at line 1, column 2.'],
    ['\ufeff{}', 'The JSON text is not valid because of "\ufeff" at line 1, column 1.'],
  ])('%j', (text, message) => {
    expect(refusal(text).message).toBe(message);
  });

  it('whatever JSON.parse refuses, naming a place, and nothing else', () => {
    const damaged = fc
      .tuple(fc.jsonValue(), fc.nat(), fc.constantFrom(',', ':', '}', ']', '"', '\\', '{', 'x', '1', '-'))
      .map(([tree, position, character]) => {
        const text = JSON.stringify(tree).replaceAll('\\u0000', '');
        const at = position % (text.length + 1);
        return text.slice(0, at) + character + text.slice(at);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        fc.pre(!/e\+\d{3}/.test(text));
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid) expect(() => parseText(text)).not.toThrow();
        else
          expect(refusal(text).message).toMatch(
            /^The JSON text (ends too early|is not valid because of ".+") at line \d+, column \d+\.$/,
          );
      }),
      { numRuns: 500 },
    );
  });

  it('a long text without echoing it', () => {
    expect(refusal(`["${'a'.repeat(100_000)}`).message.length).toBeLessThan(100);
  });

  it.each([
    [Buffer.from([0x22, 0xff, 0x22]), 1],
    [Buffer.from([0x22, 0x61, 0xc3, 0x22]), 2],
    [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 1],
    [Buffer.from([0x22, 0xef, 0xbf, 0xbd, 0xc0, 0x80, 0x22]), 4],
  ])('bytes that are not UTF-8, naming the first (xAPI 1.0.3 Communication 1.4)', (bytes, offset) => {
    expect(refusal(bytes).message).toBe(
      `The JSON text must be UTF-8, but its byte ${offset} is not part of any character.`,
    );
  });

  it.each(['"\\u0000"', '{"a\\u0000b":1}', '"\\\\\\u0000"'])('U+0000 in %s', (text) => {
    expect(refusal(text).message).toMatch(/contains the character U\+0000 at line 1, column \d+/);
  });

  it('U+0000 as a raw character', () => {
    expect(refusal('"a\u0000"').message).toBe(
      'The JSON text is not valid because of "\\u0000" at line 1, column 3.',
    );
  });

  it('not the six characters of an escape that is itself escaped', () => {
    expect(parseText('"\\\\u0000"').value).toBe('\\u0000');
  });

  it('more than 64 levels', () => {
    expect(parseText(nested(64)).value).toBeInstanceOf(Array);
    expect(refusal(nested(65)).message).toBe(
      'The JSON text is nested deeper than 64 levels at line 1, column 65.',
    );
    expect(refusal('{"a":'.repeat(65)).message).toContain('nested deeper than 64 levels');
    expect(refusal('['.repeat(5_000_000)).message).toContain('nested deeper than 64 levels');
  });

  it('property names of more than 16,383 bytes as they are written', () => {
    expect(parseText(`{"${'n'.repeat(16_383)}" : 1}`).value).toEqual({ ['n'.repeat(16_383)]: 1 });
    for (const name of ['n'.repeat(16_384), 'é'.repeat(8_192), '\\u0041'.repeat(2_731)]) {
      for (const text of [`{"a":{"${name}":1}}`, `{"a":[{"${name}" \n: 1}]}`]) {
        expect(refusal(text).message).toMatch(
          /^The JSON text has a property name of more than 16383 bytes at line 1, column [78]\.$/,
        );
      }
    }
  });

  it('not other texts that are as long, nor a stored text for its names', () => {
    const long = 'n'.repeat(20_000);
    expect(parseText(`{"a":"${long}","b":["${long}","${long}"]}`).value).toBeDefined();
    expect(parseStoredJson(Buffer.from(`{"${long}":1.0}`)).value).toEqual({ [long]: 1 });
  });

  it('not many brackets side by side or within strings', () => {
    expect(parseText(`[${'[],'.repeat(100)}{}]`).value).toHaveLength(101);
    expect(parseText(`["${'[{'.repeat(100)}\\"["]`).value).toHaveLength(1);
  });

  it.each(['1e400', '-1e400', '9'.repeat(400)])('a number that no double can hold', (number) => {
    expect(refusal(`{"a":\n[${number}]}`).message).toBe(
      'The number at line 2, column 2 of the JSON text is too large to be kept.',
    );
  });

  it('long strings of escapes, long numbers and long blanks in time that grows with their length only', async () => {
    const read = (size: number) => {
      expect(parseText(`["${'\\n'.repeat(size)}",1.0]`).value).toHaveLength(2);
      expect(parseText(`["${'\\\\'.repeat(size)}",1.0]`).value).toHaveLength(2);
      expect(parseText(`[1,${' '.repeat(size)}1.0]`).value).toHaveLength(2);
      expect(refusal(`["${'\\n'.repeat(size)}\\x"]`).message).toContain(`column ${2 * size + 3}`);
      expect(refusal(`[${'9'.repeat(size)}]`).message).toContain('too large');
    };
    expect(await growsWithSize(read, 1_000_000)).toBe(true);
  });
});
