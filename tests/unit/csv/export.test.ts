import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openExport } from '../../../lib/csv/export.ts';
import { readExportParameters } from '../../../lib/csv/parameters.ts';
import { openDatabase } from '../../../lib/db/connect.ts';
import type { Database } from '../../../lib/db/types.ts';
import { createLogger } from '../../../lib/logger.ts';
import type { StatementService } from '../../../lib/statements/types.ts';
import { batchOf, serviceOn, statement } from '../../support/statements.ts';

describe('an export', () => {
  let db: Database;
  let store: StatementService;
  let pages = 0;

  beforeAll(async () => {
    db = await openDatabase({ dbType: 'sqlite', dbName: ':memory:' }, createLogger('OFF'));
    store = serviceOn(db);
    await store.store(batchOf(Array.from({ length: 400 }, () => statement())));
  });
  afterAll(() => db.close());

  const open = (query = '') => {
    pages = 0;
    const counting: StatementService = {
      ...store,
      query: (...asked) => {
        pages += 1;
        return store.query(...asked);
      },
    };
    const selection = readExportParameters(new URLSearchParams(query), {
      maxRows: -1,
      acceptLanguage: undefined,
    });
    return openExport(counting, selection, []);
  };

  it('reads no further than its lines are taken', async () => {
    const lines = (await open()).lines[Symbol.asyncIterator]();
    expect(pages).toBe(1);
    for (let piece = 0; piece < 4; piece += 1) await lines.next();
    expect(pages).toBe(1);
    await lines.return?.();
    expect(pages).toBe(1);
  });

  it('makes its lines in small pieces, so that others get their turn', async () => {
    let rows = 0;
    for await (const piece of (await open()).lines) {
      const lines = piece.split('\r\n').length - 1;
      expect(lines).toBeLessThanOrEqual(20);
      rows += lines;
    }
    expect(rows).toBe(401);
    expect(pages).toBeGreaterThan(3);
  });

  it('holds what was stored when it began, also in ascending order', async () => {
    const { lines } = await open('ascending=true');
    await store.store(batchOf([statement()]));
    let rows = 0;
    for await (const piece of lines) rows += piece.split('\r\n').length - 1;
    expect(rows).toBe(401);
  });

  it('makes the line of a large statement with many columns cell by cell', async () => {
    const large = 'x'.repeat(300_000);
    await store.store(batchOf([{ ...statement(), result: { response: large } }]));
    const paths = Array.from({ length: 40 }, () => ['result', 'response']);
    const { lines, rows } = await open(`property-paths=${JSON.stringify(paths)}&limit=1`);
    const pieces: string[] = [];
    for await (const piece of lines) pieces.push(piece);
    expect(rows()).toBe(1);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(300_001);
    const [, line] = pieces.join('').split('\r\n');
    expect(line).toBe(paths.map(() => large).join(','));
  });

  it('makes a long cell in slices, with its quotes doubled and no character cut', async () => {
    const texts = ['"', 'a\u{1F600}"', '\u{1F600}', 'x', 'a,', 'a\r', "'\n"].map((piece) =>
      piece.repeat(300_000),
    );
    for (const text of texts) {
      const statements = batchOf([{ ...statement(), result: { response: text } }]);
      await store.store(statements);
      const paths = [['result', 'response'], ['result'], ['result', 'success'], ['result', 'response']];
      const { lines } = await open(`property-paths=${JSON.stringify(paths)}&limit=1`);
      const pieces: string[] = [];
      for await (const piece of lines) pieces.push(piece);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(longestPiece);
      // Pieces are sent one by one: half a character would be replaced.
      const sent = Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString();
      const cell = field(text);
      expect(sent.slice(sent.indexOf('\r\n') + 2)).toBe(
        `${cell},${field(JSON.stringify({ response: text }))},,${cell}\r\n`,
      );
    }
  });
});

/** A piece ends when it has 256 Ki characters; the slice that it ends with has up to 128 Ki. */
const longestPiece = 400 * 1024;

/** RFC 4180 2.5 to 2.7. */
function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
