import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { JsonChecker } from '../../../lib/json/checker.ts';
import { parseJson } from '../../../lib/json/json.ts';

function scan(text: string | Buffer, step: number): JsonChecker {
  const scanner = new JsonChecker(Buffer.from(text));
  while (!scanner.advance(step));
  return scanner;
}

/** What refuses the text, or undefined. */
function refusal(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof InvalidError) return error.message;
    throw error;
  }
}

const membersOf = (text: string, step = 7): unknown =>
  [...(scan(text, step).members ?? [])].map(([name, { start, end }]) => [
    name,
    Buffer.from(text).toString('utf8', start, end),
  ]);

const valid = [
  '{}',
  ' { "a" : 1 , "b":[1,2,{"a":"}"}],"ä":"\\"\\\\","\\u0062":null} ',
  '[]',
  '[1,-0,0.5,1e2,1E+2,-1.5e-3,true,false,null,"",{"a":[[]]}]',
  '"text with \\u00e4 \\ud83d\\ude00 \\/ \\b\\f\\n\\r\\t"',
  '12345678901234567890.123',
  'null',
  '{"a":"ä€😀"}\n',
  '{"__proto__":1,"\\u005f_proto__":{"a":{"__proto__":1}}}',
];
const invalid = [
  ...[
    '',
    ' ',
    '{',
    '[',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '"a',
    '"a\\',
    '"\\u12',
    '[1',
    '{"a":1,}',
    '[1,]',
  ],
  ...[
    '{,}',
    '[,]',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{1:2}',
    '}',
    ']',
    '[}',
    '{]',
    '1 2',
    '{}{}',
    ',',
    ':',
    '[1:2]',
  ],
  ...[
    '01',
    '1.',
    '.5',
    '-',
    '+1',
    '1e',
    '1e+',
    'nul',
    'nullx',
    'True',
    "'a'",
    '"\\x"',
    '"\\u12G4"',
    '"a\nb"',
    '"\u0001"',
  ],
  ...['"\\u0000"', '{"\\u0000":1}', '1e400', '-1e999', `1${'0'.repeat(400)}`],
  ...['\ufeff{}', `${'['.repeat(65)}${']'.repeat(65)}`, '{"a":1}\u0000', 'ä'],
];

describe('a checker of JSON', () => {
  it.each(valid)('takes %s, whatever the size of its steps', (text) => {
    for (const step of [1, 2, 3, 1000]) expect(() => scan(text, step)).not.toThrow();
    expect(() => parseJson(Buffer.from(text))).not.toThrow();
  });

  it.each(invalid)('refuses %j, whatever the size of its steps', (text) => {
    expect(refusal(() => parseJson(Buffer.from(text)))).toBeDefined();
    for (const step of [1, 2, 3, 1000])
      expect(refusal(() => scan(text, step))).toMatch(/^(The|A property of the) JSON text|^The number/);
  });

  it.each([
    ['{"a":1,\n"b":}', 'The JSON text is not valid because of "}" at line 2, column 5.'],
    ['{"a":"ä', 'The JSON text ends too early at line 1, column 8.'],
    ['{"€":truE}', 'The JSON text is not valid because of "t" at line 1, column 6.'],
    ['["\\u0000"]', 'The JSON text contains the character U+0000 at line 1, column 3, which is not allowed.'],
    ['[1e400]', 'The number at line 1, column 2 of the JSON text is too large to be kept.'],
    [
      `{"${'n'.repeat(16_384)}":1}`,
      'The JSON text has a property name of more than 16383 bytes at line 1, column 2.',
    ],
    [`${'['.repeat(65)}`, 'The JSON text is nested deeper than 64 levels at line 1, column 65.'],
  ])('names the place of a mistake in %j as a parser does', (text, message) => {
    expect(refusal(() => scan(text, 3))).toBe(message);
    expect(refusal(() => parseJson(Buffer.from(text)))).toBe(message);
  });

  it('names the byte that is not UTF-8, however far it is from the start', () => {
    for (const distance of [0, 65_535, 65_536, 200_000]) {
      const bytes = Buffer.concat([
        Buffer.from(`"${'€'.repeat(distance)}`),
        Buffer.from([0xff]),
        Buffer.from('"'),
      ]);
      const message = refusal(() => scan(bytes, 1000));
      expect(message).toBe(
        `The JSON text must be UTF-8, but its byte ${1 + 3 * distance} is not part of any character.`,
      );
    }
  });

  it('notes the members of the outermost object, of a repeated name the last value in the first place', () => {
    expect(membersOf('{"b":1, "a" : {"a":[1,{"c":2}]} ,"\\u0062":"x"}')).toEqual([
      ['b', '"\\u0062":"x"'],
      ['a', '"a" : {"a":[1,{"c":2}]}'],
    ]);
    expect(membersOf('{"2":true,"1":[ ]}')).toEqual([
      ['2', '"2":true'],
      ['1', '"1":[ ]'],
    ]);
    expect(scan('[{"a":1}]', 5).members).toBeUndefined();
    expect(scan('{}', 5).members).toEqual(new Map());
  });

  it('notes no more members than it was told to, and says so', () => {
    const scanner = new JsonChecker(Buffer.from('{"a":1,"b":2,"a":3,"c":4,"d":{}}'), 2);
    expect(scanner.advance(100)).toBe(true);
    expect([...(scanner.members?.keys() ?? [])]).toEqual(['a', 'b']);
    expect(scanner.tooManyMembers).toBe(true);
  });

  it('takes and refuses what a parser does, of 20,000 texts with random mistakes', () => {
    let seed = 1;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (seed >>> 8) % below;
    };
    const pieces = '{}[],:"\\ 0123.eE+-truefalsnä\n_u'.split('');
    let taken = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const characters = [...(valid[random(valid.length)] ?? '')];
      for (let changes = random(3); changes > 0; changes -= 1) {
        const insert = random(3) > 0 ? [pieces[random(pieces.length)] ?? ''] : [];
        characters.splice(random(characters.length + 1), random(2), ...insert);
      }
      const text = characters.join('');
      const parsed = refusal(() => parseJson(Buffer.from(text)));
      const scanned = refusal(() => scan(text, 1 + random(9)));
      expect([text, scanned === undefined]).toEqual([text, parsed === undefined]);
      if (parsed === undefined) taken += 1;
    }
    expect(taken).toBeGreaterThan(5000);
  });
});
