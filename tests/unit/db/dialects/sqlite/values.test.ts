import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../../../lib/db/connect.ts';
import { createLogger } from '../../../../../lib/logger.ts';

const mebibyte = 1024 * 1024;

it('a SQLite connection keeps none of the large values that its statements were last used with', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lrs-values-'));
  const db = await openDatabase(
    { dbType: 'sqlite', dbName: join(folder, 'lrs.sqlite') },
    createLogger('OFF'),
  );
  const value = 'x'.repeat(4 * mebibyte);
  const lengths: number[] = [];
  const before = process.memoryUsage.rss();
  for (let index = 0; index < 100; index += 1) {
    const sql = `SELECT LENGTH(:value) AS length, ${index} AS text`;
    const rows = await db.read((session) => session.select<{ length: number }>(sql, { value }));
    lengths.push(...rows.map(({ length }) => length));
  }
  const grown = process.memoryUsage.rss() - before;
  await db.close();
  rmSync(folder, { recursive: true });
  expect(lengths).toEqual(Array.from({ length: 100 }, () => value.length));
  expect(grown).toBeLessThan(200 * mebibyte);
});
