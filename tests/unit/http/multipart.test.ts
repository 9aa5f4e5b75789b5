import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { formatMultipart, parseMultipart } from '../../../lib/http/multipart.ts';
import { growsWithSize, leastProcessorTimes } from '../../support/processor-time.ts';

const type = 'multipart/mixed; boundary=abc';

/** The parts of a body given as text, contents as text. */
async function parse(
  body: string,
  contentType = type,
): Promise<{ headers: Record<string, string>; content: string }[]> {
  const parts = await parseMultipart(contentType, Buffer.from(body, 'latin1'));
  return parts.map(({ headers, content }) => ({
    headers,
    content: content.toString('latin1'),
  }));
}

async function contents(body: string, contentType = type): Promise<string[]> {
  return (await parse(body, contentType)).map(({ content }) => content);
}

describe('parseMultipart', () => {
  it('gives headers in lower case and contents byte for byte', async () => {
    expect(
      await parse(
        '--abc\r\nContent-Type: text/plain\r\nX-A:1\r\n\r\none\r\n--abc\r\nX-B :\t2  \r\n\r\n\x00\xff\r\n\r\n\r\n--abc--\r\n',
      ),
    ).toStrictEqual([
      { headers: { 'content-type': 'text/plain', 'x-a': '1' }, content: 'one' },
      { headers: { 'x-b': '2' }, content: '\x00\xff\r\n\r\n' },
    ]);
  });

  it('ignores preamble and epilogue', async () => {
    expect(
      await contents('before\r\n--abcd\r\n--abc\r\n\r\n1\r\n--abc--\r\nafter\r\n--abc\r\n\r\n2\r\n--abc--'),
    ).toStrictEqual(['1']);
    expect(await contents('\r\n--abc\r\n\r\n1\r\n--abc--')).toStrictEqual(['1']);
  });

  it.each([
    ['a quoted boundary', `multipart/mixed; charset=x; BOUNDARY="a b:'()+_,-./=?"`, "a b:'()+_,-./=?"],
    ['a quoted boundary with escapes', 'multipart/mixed; boundary="a\\bc"; x="y"', 'abc'],
    [
      'an unquoted boundary of any characters',
      'multipart/mixed;boundary=-------314159265358979323846',
      '-------314159265358979323846',
    ],
    [
      'an unquoted boundary that should be quoted',
      "multipart/mixed; boundary=abcABC0123'()+_,-./:=?",
      "abcABC0123'()+_,-./:=?",
    ],
  ])('takes %s', async (_title, contentType, boundary) => {
    expect(await contents(`--${boundary}\r\n\r\n1\r\n--${boundary}--`, contentType)).toStrictEqual(['1']);
  });

  it('allows blanks behind a boundary (RFC 2046 5.1.1)', async () => {
    expect(await contents('--abc \t\r\n\r\n1\r\n--abc  \r\n\r\n2\r\n--abc-- \t\r\n')).toStrictEqual([
      '1',
      '2',
    ]);
  });

  it('takes parts without headers, without content and without either', async () => {
    expect(
      await parse(
        '--abc\r\n\r\n\r\n--abc\r\nA: b\r\n\r\n\r\n--abc\r\nA: b\r\n\r\n--abc\r\nA: b\r\n--abc\r\n--abc--',
      ),
    ).toStrictEqual([
      { headers: {}, content: '' },
      { headers: { a: 'b' }, content: '' },
      { headers: { a: 'b' }, content: '' },
      { headers: { a: 'b' }, content: '' },
      { headers: {}, content: '' },
    ]);
    expect(await contents('--abc--')).toStrictEqual([]);
  });

  it('leaves in the content what only looks like a boundary', async () => {
    const content = '--abc\r\nx--abc\r\n--abcd\r\n--abc-\r\n--abc--x\r\n--abc x\r\n\n--abc\r\n -- abc';
    expect(await contents(`--abc\r\n\r\nx${content}\r\n--abc--`)).toStrictEqual([`x${content}`]);
  });

  it('takes lines that end in LF when the first does, and then keeps CR as content', async () => {
    expect(await parse('--abc\nA: b\n\n1\r\n2\n\n--abc\n\n3\r\n--abc--\n')).toStrictEqual([
      { headers: { a: 'b' }, content: '1\r\n2\n' },
      { headers: {}, content: '3\r' },
    ]);
  });

  it('joins repeated and folded headers', async () => {
    expect(
      (await parse('--abc\r\nA: 1\r\n  2\r\nB: x\r\na: 3\r\n\r\n\r\n--abc--'))[0]?.headers,
    ).toStrictEqual({
      a: '1 2, 3',
      b: 'x',
    });
  });

  it('keeps a header named like a property of every object apart from it', async () => {
    const [part] = await parse('--abc\r\n__proto__: x\r\n\r\n\r\n--abc--');
    expect(Object.entries(part?.headers ?? {})).toStrictEqual([['__proto__', 'x']]);
  });

  it.each([
    ['no boundary in the header', 'multipart/mixed;', '--abc--', 'must have the parameter "boundary"'],
    ['an empty boundary', 'multipart/mixed; boundary=""', '----', 'must have the parameter "boundary"'],
    ['a boundary that ends with a blank', 'multipart/mixed; boundary="abc "', '--abc --', '1 to 70'],
    ['a boundary with other characters', 'multipart/mixed; boundary="a@b"', '--a@b--', '1 to 70'],
    [
      'a boundary that is too long',
      `multipart/mixed; boundary=${'a'.repeat(71)}`,
      `--${'a'.repeat(71)}--`,
      '1 to 70',
    ],
    ['a body without the boundary', type, '', 'does not contain the boundary'],
    [
      'a boundary in the middle of a line',
      type,
      'x--abc\r\n\r\n1\r\nx--abc--',
      'does not contain the boundary',
    ],
    ['no closing boundary', type, '--abc\r\n\r\n1\r\n', 'does not end with its boundary'],
    ['an end behind a boundary', type, '--abc\r\n\r\n1\r\n--abc', 'does not end with its boundary'],
    [
      'a header line without a colon',
      type,
      '--abc\r\nA\r\n\r\n1\r\n--abc--',
      'Part 1 of the multipart body has a header line',
    ],
    [
      'a header without a name',
      type,
      '--abc\r\n\r\n1\r\n--abc\r\n: x\r\n\r\n1\r\n--abc--',
      'Part 2 of the multipart body has a header line',
    ],
    [
      'a control character in a header',
      type,
      '--abc\r\nA: x\ry\r\n\r\n1\r\n--abc--',
      'Part 1 of the multipart body has a header line',
    ],
    [
      'content without an empty line before it',
      type,
      '--abc\r\n{"a":1}\r\n--abc--',
      'an empty line must stand',
    ],
    [
      'endless headers',
      type,
      `--abc\r\nA: ${'x'.repeat(20_000)}\r\n\r\n1\r\n--abc--`,
      'longer than 16384 bytes',
    ],
    ['too many parts', type, `${'--abc\r\n\r\n\r\n'.repeat(1001)}--abc--`, 'more than 1000 parts'],
  ])('refuses %s', async (_title, contentType, body, message) => {
    await expect(parse(body, contentType)).rejects.toThrow(InvalidError);
    await expect(parse(body, contentType)).rejects.toThrow(message);
  });

  it('takes a thousand parts', async () => {
    expect(await contents(`${'--abc\r\n\r\n\r\n'.repeat(1000)}--abc--`)).toHaveLength(1000);
  });

  it('takes time that grows with the length of hostile bodies only', async () => {
    const read = async (size: number) => {
      expect(await contents(`--abc\r\n\r\n${'\r\n--abc x'.repeat(size / 4)}x\r\n--abc--`)).toHaveLength(1);
      expect(await contents(`--abc\r\n\r\n${'--abc'.repeat(size / 4)}\r\n--abc--`)).toHaveLength(1);
      expect(await contents(`--abc\r\n\r\n\r\n--abc${' '.repeat(size)}x\r\n--abc--`)).toHaveLength(1);
      expect(await contents(`--abc\r\nA:${' '.repeat(size / 125)}x\r\n\r\n\r\n--abc--`)).toHaveLength(1);
    };
    expect(await growsWithSize(read, 2_000_000)).toBe(true);
  });

  it('takes no longer for a body that is nothing but the beginning of a boundary than for any other', async () => {
    const hostile = `multipart/mixed; boundary=${'-'.repeat(60)}`;
    // The bytes are there before, because memory for them takes as long as to look through them.
    const refusal = (character: string) => {
      const body = Buffer.alloc(8_000_000, character);
      return () => expect(parseMultipart(hostile, body)).rejects.toThrow('does not contain the boundary');
    };
    const [other = 0, beginning] = await leastProcessorTimes(refusal('x'), refusal('-'));
    expect(beginning).toBeLessThan(10 * Math.max(1, other));
  });

  it('lets other work in while it goes through a body of many lines', async () => {
    let isLetIn = false;
    setImmediate(() => {
      isLetIn = true;
    });
    const inner = '--abc x\r\n'.repeat(1_000_000);
    expect(await contents(`--abc\r\n\r\n${inner}\r\n--abc--`)).toHaveLength(1);
    expect(isLetIn).toBe(true);
  });

  it('refuses more than a hundred header lines, but not a hundred', async () => {
    const part = (lines: number) => `--abc\r\n${'A: b\r\n'.repeat(lines)}\r\n1\r\n--abc--`;
    expect(await contents(part(100))).toEqual(['1']);
    await expect(parse(part(101))).rejects.toThrow(
      'Part 1 of the multipart body has more than 100 header lines.',
    );
  });
});

describe('formatMultipart', () => {
  it('writes what RFC 2046 shows', () => {
    const parts = [
      { headers: { 'Content-Type': 'application/json' }, content: Buffer.from('{}') },
      { headers: {}, content: Buffer.alloc(0) },
    ];
    const { contentType, body } = formatMultipart(parts);
    const boundary = contentType.replace('multipart/mixed; boundary=', '');
    expect(body.toString().replaceAll(boundary, 'abc')).toBe(
      '--abc\r\nContent-Type: application/json\r\n\r\n{}\r\n--abc\r\n\r\n\r\n--abc--\r\n',
    );
  });

  it('is undone by parseMultipart, whatever the bytes', async () => {
    const pieces = fc.constantFrom('--', '\r\n', '\n', '\r', 'abc', ' ', '-', ':', 'A: b\r\n', '\x00');
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.array(pieces, { maxLength: 30 }).map((list) => Buffer.from(list.join(''), 'latin1')),
    );
    const headers = fc.dictionary(
      fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
      fc.stringMatching(/^([!-~]([ -~]{0,20}[!-~])?)?$/),
    );
    const part = fc.record({ headers, content });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const { contentType, body } = formatMultipart(parts);
        const parsed = await parseMultipart(contentType, body);
        expect(parsed.map(({ content }) => content.toString('hex'))).toStrictEqual(
          parts.map(({ content }) => content.toString('hex')),
        );
        expect(parsed.map(({ headers }) => Object.entries(headers))).toStrictEqual(
          parts.map(({ headers }) => Object.entries(headers)),
        );
      }),
      { numRuns: 300 },
    );
  });
});
