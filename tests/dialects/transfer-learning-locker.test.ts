import { join } from 'node:path';
import { ObjectId } from 'bson';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isClean } from '../../lib/transfer/parity/report.ts';
import { openSource, type SourceOptions } from '../../lib/transfer/sources/open.ts';
import { engines } from '../support/engines.ts';
import {
  contentOf,
  type DumpedStore,
  damage,
  idsOf,
  writeLearningLocker,
} from '../support/learning-locker-dump.ts';
import { foundIds } from '../support/statements.ts';
import {
  createStore,
  importFrom,
  type TestStore,
  temporaryFolder,
  trustedTarget,
} from '../support/transfer.ts';

const [sqlite] = engines;
const lost = '00000000-0000-4000-8000-00000000dead';

describe('an installation of Learning Locker with several organisations and stores', () => {
  let to: TestStore;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const organisation = new ObjectId();
  const stores: readonly [DumpedStore, DumpedStore, DumpedStore] = [
    { organisation, lrs: new ObjectId() },
    { organisation, lrs: new ObjectId() },
    { organisation: new ObjectId(), lrs: new ObjectId() },
  ];

  beforeEach(async () => {
    if (sqlite === undefined) throw new Error('There is no engine.');
    folder = await temporaryFolder();
    to = await createStore(sqlite);
  });
  afterEach(async () => {
    await to.remove();
    await folder.remove();
  });

  async function importDump(dump: string, options: Omit<SourceOptions, 'folder'>) {
    const own = join(folder.path, 'import');
    const source = await openSource(dump, { folder: own, ...options });
    return importFrom(source, trustedTarget(to.store), { folder: own });
  }

  const attachmentsOf = async (id: string) => {
    const found = { format: 'exact', attachments: true, languages: [] } as const;
    return (await to.store.services.statements.get({ id, voided: false }, found)).attachments;
  };

  it.each(['files', 'attachments'] as const)(
    'is imported store by store, with voided pairs and the contents of attachments from --%s',
    async (option) => {
      const { dump, files } = await writeLearningLocker(folder.path, stores, []);
      const { report, progress } = await importDump(dump, {
        lrs: stores[1].lrs.toString(),
        [option]: files,
      });
      expect(report.refused).toEqual([]);
      expect(isClean(report)).toBe(true);
      expect(progress.counts).toEqual({ statement: { stored: 4, present: 0, refused: 0 } });
      const ids = idsOf(1);
      const shown = await foundIds(to.store.services.statements, { ascending: true });
      expect(shown).toEqual([ids.plain, ids.voiding, ids.attached]);
      const voided = await to.store.services.statements.get(
        { id: ids.voided, voided: true },
        { format: 'exact', attachments: false, languages: [] },
      );
      expect(voided.statements).toHaveLength(1);
      expect(await attachmentsOf(ids.attached)).toMatchObject([
        { contentType: 'application/pdf', content: contentOf(1) },
      ]);
    },
  );

  it('lists statements whose attachments are missing or damaged, and imports the others', async () => {
    const { dump, files } = await writeLearningLocker(folder.path, stores, [lost]);
    await damage(files, stores[0], 0);
    const { report, progress } = await importDump(dump, {
      lrs: stores[0].lrs.toString(),
      attachments: files,
    });
    expect(progress.counts).toEqual({ statement: { stored: 3, present: 0, refused: 2 } });
    expect(report.refused.map(({ id, refused }) => [id, refused])).toEqual([
      [idsOf(0).attached, expect.stringMatching(/hash|sha2/i)],
      [lost, expect.stringMatching(/sha2|content|fileUrl/i)],
    ]);
    expect(report.differences).toEqual([]);
  });

  it('says that a folder of attachments is not there', async () => {
    const { dump } = await writeLearningLocker(folder.path, stores, []);
    await expect(importDump(dump, { attachments: join(folder.path, 'none') })).rejects.toThrow(
      'There is no folder',
    );
  });
});
