import { describe, expect, it } from 'vitest';
import { ChunkError, ChunkedBody } from '../../../lib/adapter/chunked-body.ts';

/** What becomes of bytes that arrive in pieces of so many. */
function merged(bytes: string | Buffer, pieceLength = Number.POSITIVE_INFINITY): string {
  const body = new ChunkedBody();
  const all = Buffer.from(bytes);
  const pieces: Buffer[] = [];
  for (let at = 0; at < all.length; at += pieceLength) {
    const piece = all.subarray(at, at + pieceLength);
    pieces.push(body.isComplete ? piece : body.take(piece));
  }
  return Buffer.concat(pieces).toString('latin1');
}

/** The content of a body that has been written anew. */
const contentOf = (text: string): string => text.replace(/[\da-f]+\r\n([^\r]*)\r\n/g, '$1');

describe('a chunked body', () => {
  const chunks = '3\r\nabc\r\n1;a="b, c"\r\nd\r\n00a\r\n0123456789\r\n0;z\r\nA: b\r\nC:\r\n\r\n';

  it('has a single chunk for each piece of the connection, without extensions and trailers', () => {
    expect(merged(chunks)).toBe('e\r\nabcd0123456789\r\n0\r\n\r\n');
    expect(merged(`${chunks}GET / HTTP/1.1\r\n`)).toBe('e\r\nabcd0123456789\r\n0\r\n\r\nGET / HTTP/1.1\r\n');
  });

  it('is the same wherever the pieces of the connection end', () => {
    for (let length = 1; length < chunks.length; length += 1) {
      const text = merged(`${chunks}GET / HTTP/1.1\r\n`, length);
      expect(text.endsWith('0\r\n\r\nGET / HTTP/1.1\r\n'), String(length)).toBe(true);
      expect(contentOf(text.slice(0, text.indexOf('0\r\n\r\nGET')))).toBe('abcd0123456789');
    }
  });

  it('keeps every byte', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const framed = Buffer.concat([Buffer.from('100\r\n'), bytes, Buffer.from('\r\n0\r\n\r\n')]);
    expect(merged(framed)).toBe(framed.toString('latin1'));
  });

  it.each([
    ['no size', '\r\n'],
    ['no digits', 'g\r\n'],
    ['a sign', '+1\r\na\r\n'],
    ['a hexadecimal prefix', '0x1\r\na\r\n'],
    ['a space before the size', ' 1\r\na\r\n'],
    ['a space behind the size', '1 \r\na\r\n'],
    ['a size beyond all numbers', 'ffffffffffffffff\r\n'],
    ['a line feed alone', '1\na\r\n'],
    ['a carriage return in an extension', '1;a\rb\r\na\r\n'],
    ['a line feed in an extension', '1;a\nb\r\na\r\n'],
    ['a NUL in an extension', '1;a\0b\r\na\r\n'],
    ['more bytes than the size says', '1\r\nab\r\n'],
    ['fewer bytes than the size says', '3\r\na\r\n0\r\n\r\n'],
    ['a line feed alone behind the chunk', '1\r\na\n'],
    ['a trailer without a name', '0\r\n: a\r\n\r\n'],
    ['a trailer without a colon', '0\r\nGET / HTTP/1.1\r\n\r\n'],
    ['a space in the name of a trailer', '0\r\nA : b\r\n\r\n'],
    ['a folded trailer', '0\r\nA: b\r\n c\r\n\r\n'],
    ['a line feed alone at the end', '0\r\n\n'],
  ])('is refused with %s', (_, framed) => {
    expect(() => merged(framed)).toThrow(ChunkError);
    expect(() => merged(`1\r\nx\r\n${framed}`, 1)).toThrow(/not valid \(RFC 9112 7\.1\)/);
  });

  it.each([
    ['an endless extension', `1;${'x'.repeat(20_000)}`],
    ['many extensions', `40;${'x'.repeat(200)}\r\n${'x'.repeat(64)}\r\n`.repeat(90)],
    ['an endless trailer', `0\r\nA: ${'x'.repeat(20_000)}`],
    ['many trailers', `0\r\n${'A: b\r\n'.repeat(3000)}`],
  ])('is refused with %s', (_, framed) => {
    expect(() => merged(framed)).toThrow(/more than 16384 bytes/);
    expect(() => merged(framed, 1)).toThrow(/more than 16384 bytes/);
  });

  it('may have small chunks in proportion to its bytes', () => {
    const small = '1\r\nx\r\n';
    const large = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    expect(() => merged(small.repeat(1000))).not.toThrow();
    expect(() => merged(small.repeat(1100))).toThrow(/more than 1000 chunks of fewer than 64 bytes/);
    expect(() => merged(large + small.repeat(2000))).not.toThrow();
    expect(() => merged(large + small.repeat(2100))).toThrow(/more than 1000 chunks of fewer than 64 bytes/);
  });
});
