import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importNeedsSqlite } from '../../../scripts/sqlite-file.mjs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-file-'));
  writeFileSync(join(folder, 'lrsql.db'), Buffer.from('SQLite format 3\0…'));
  writeFileSync(join(folder, 'statements.ndjson'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

const lrs = 'https://key:secret@lrs.example/xapi';
const server = { LRS_DB_TYPE: 'postgres' };

it.each([
  ['into a database of SQLite', { from: 'statements.ndjson', to: undefined }, {}, true],
  ['into another database', { from: 'statements.ndjson', to: undefined }, server, false],
  ['into an LRS', { from: 'statements.ndjson', to: lrs }, {}, false],
  ['from what is not there', { from: 'nothing', to: lrs }, {}, false],
  ['from SQLite', { from: 'lrsql.db', to: undefined }, server, true],
  ['from SQLite into an LRS', { from: 'lrsql.db', to: lrs }, {}, true],
])('an import %s needs SQLite or not', (_, { from, ...given }, env, needs) => {
  expect(importNeedsSqlite({ ...given, from: join(folder, from) }, env)).toBe(needs);
});

it('an import from an address of SQLite needs it', () => {
  const from = `jdbc:sqlite:${join(folder, 'lrsql.db')}`;
  expect(importNeedsSqlite({ from, to: lrs }, {})).toBe(true);
});
