import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransferRecord } from '../../../../lib/transfer/records.ts';
import { withAttachmentFiles } from '../../../../lib/transfer/sources/attachment-files.ts';
import { temporaryFolder } from '../../../support/transfer.ts';

const MiB = 1024 * 1024;
const hashes = ['a'.repeat(64), 'b'.repeat(64)];

describe('a statement whose attachments are files', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function recordOf(statement: string): Promise<TransferRecord | undefined> {
    const json = Buffer.from(statement);
    const source = {
      name: 'test',
      identity: 'test',
      async *entries() {
        yield { record: { kind: 'statement', json, parts: [] } as const, place: '1', cursor: 1 };
      },
      close: () => Promise.resolve(),
    };
    for await (const { record } of withAttachmentFiles(source, folder.path).entries()) return record;
    return undefined;
  }

  const attachments = JSON.stringify(hashes.map((sha2) => ({ sha2, contentType: 'text/plain' })));

  it('gets their contents', async () => {
    await writeFile(join(folder.path, `${hashes[1]}.txt`), 'text');
    expect(await recordOf(`{"attachments":${attachments}}`)).toMatchObject({
      parts: [{ sha2: hashes[1], contentType: 'text/plain', content: Buffer.from('text') }],
    });
  });

  it('is refused when they have more than 256 MiB together, and they are not read', async () => {
    for (const sha2 of hashes) {
      // Takes no room on the disk.
      await writeFile(join(folder.path, sha2), '');
      await truncate(join(folder.path, sha2), 200 * MiB);
    }
    expect(await recordOf(`{"attachments":${attachments}}`)).toEqual({
      kind: 'unreadable',
      reason: `the contents of its attachments have ${400 * MiB} bytes, and an import reads ${256 * MiB} at once`,
    });
  });

  it('is not parsed when it has too many values, which the store refuses it for', async () => {
    await writeFile(join(folder.path, hashes[0] ?? ''), 'text');
    const values = '0,'.repeat(1_000_000);
    expect(await recordOf(`{"attachments":${attachments},"x":[${values}0]}`)).toMatchObject({ parts: [] });
  });
});
