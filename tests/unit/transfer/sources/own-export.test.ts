import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContentSpool } from '../../../../lib/transfer/content-spool.ts';
import { ownExport } from '../../../../lib/transfer/sources/own-export.ts';
import { temporaryFolder } from '../../../support/transfer.ts';

const MiB = 1024 * 1024;

describe('a statement of an export', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('is refused when the contents of its attachments have more than 256 MiB together, and not read', async () => {
    const hashes = ['a'.repeat(64), 'b'.repeat(64)];
    for (const sha2 of hashes) {
      // Takes no room on the disk.
      await writeFile(join(folder.path, sha2), '');
      await truncate(join(folder.path, sha2), 200 * MiB);
    }
    const file = join(folder.path, 'export.ndjson');
    const contents = hashes.map((sha2) => ({ sha2, contentType: 'text/plain' }));
    const lines = [
      { export: { format: 'serverless-lrs export', version: 1, statements: 1, secrets: false } },
      { statement: { id: 'x' }, contents },
      { end: { statements: 1 } },
    ];
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const source = ownExport(file, new ContentSpool(folder.path));
    const records = [];
    for await (const { record } of source.entries()) records.push(record);
    expect(records).toEqual([
      {
        kind: 'unreadable',
        reason: `the contents of its attachments have ${400 * MiB} bytes, and an import reads ${256 * MiB} at once`,
      },
    ]);
  });
});
