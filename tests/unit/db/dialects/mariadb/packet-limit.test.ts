import { describe, expect, it } from 'vitest';
import { PacketLimit } from '../../../../../lib/db/dialects/mariadb/packet-limit.ts';
import { TooLargeError } from '../../../../../lib/errors.ts';

function limitOf(bytes: number): PacketLimit {
  const limit = new PacketLimit();
  limit.bytes = bytes;
  return limit;
}

const message =
  'A part of the request is larger than the 10000 bytes that max_allowed_packet of the database server permits.';

describe('the limit of a message to MariaDB', () => {
  it.each([
    ['bytes', Buffer.alloc(9001)],
    ['text', 'x'.repeat(9001)],
    ['text that UTF-8 makes longer', 'ü'.repeat(4501)],
  ])('refuses a query with %s that the server would refuse', (_, value) => {
    const query = { sql: 'SELECT ?', values: [value, 1, null] };
    expect(() => limitOf(10_000).require(query)).toThrow(new TooLargeError(message));
    expect(() => new PacketLimit().require(query)).not.toThrow();
  });

  it('measures text as UTF-8 before it refuses it', () => {
    const query = { sql: 'SELECT ?', values: ['x'.repeat(8000)] };
    expect(() => limitOf(10_000).require(query)).not.toThrow();
  });

  it('splits rows into messages that the server accepts, in their order', () => {
    const rows = Array.from({ length: 10 }, (_, index) => [index, Buffer.alloc(2500)]);
    const parts = limitOf(10_000).split({ sql: 'INSERT', rows });
    expect(parts.map((part) => part.rows.length)).toEqual([3, 3, 3, 1]);
    expect(parts.flatMap((part) => part.rows)).toEqual(rows);
    expect(new Set(parts.map(({ sql }) => sql))).toEqual(new Set(['INSERT']));
  });

  it('refuses rows of which one is too large alone', () => {
    const rows = [[1], [Buffer.alloc(9001)]];
    expect(() => limitOf(10_000).split({ sql: 'INSERT', rows })).toThrow(TooLargeError);
  });
});
