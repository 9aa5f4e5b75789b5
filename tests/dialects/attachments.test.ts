import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bucketContents } from '../../lib/attachments/bucket-contents.ts';
import { createS3ObjectStore } from '../../lib/attachments/s3-object-store.ts';
import { createAttachmentService } from '../../lib/attachments/service.ts';
import type { AttachmentContent, AttachmentService, ObjectStore } from '../../lib/attachments/types.ts';
import { createErasureService } from '../../lib/erasure/service.ts';
import { createLogger } from '../../lib/logger.ts';
import type { Actor } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { type StandInS3, startStandInS3 } from '../support/stand-in-s3.ts';
import { agent, batchOf, everything, exact, serviceOn, statement } from '../support/statements.ts';

const day = 24 * 3600 * 1000;
const limits = { attachmentMaxBytes: 1_000_000, attachmentMaxUploads: 10, attachmentUrlSeconds: 900 };
const owner = agent('owner') as Actor;

describe.each(engines)('objects of attachments on $name', (engine) => {
  let database: TestDatabase;
  let bucket: StandInS3;
  let objects: ObjectStore;
  let attachments: AttachmentService;
  let now: number;

  beforeEach(async () => {
    database = await engine.create();
    bucket = await startStandInS3();
    const { env } = bucket;
    objects = createS3ObjectStore({
      name: String(env.LRS_ATTACHMENT_BUCKET),
      region: String(env.LRS_ATTACHMENT_REGION),
      endpoint: String(env.LRS_ATTACHMENT_ENDPOINT),
      credentials: async () => ({
        accessKeyId: String(env.AWS_ACCESS_KEY_ID),
        secretAccessKey: String(env.AWS_SECRET_ACCESS_KEY),
        sessionToken: String(env.AWS_SESSION_TOKEN),
      }),
    });
    now = Date.now();
    attachments = createAttachmentService(database.db, { objects, limits, now: () => now });
  });
  afterEach(async () => {
    await database.remove();
    await bucket.close();
  });

  const removeUnused = () => attachments.removeUnused(Date.now() + 60_000);
  const erase = (name: string) =>
    createErasureService(database.db, createLogger('OFF')).erase(`mbox::mailto:${name}@example.org`);

  async function uploaded(by = owner, bytes = randomBytes(100)) {
    const sha2 = createHash('sha256').update(bytes).digest('hex');
    const announced = { sha2, length: bytes.length, contentType: 'video/mp4' };
    const { url, headers } = await attachments.announce(by, announced);
    const { 'Content-Length': _, ...sent } = headers as Record<string, string>;
    expect((await fetch(url, { method: 'PUT', headers: sent, body: new Uint8Array(bytes) })).status).toBe(
      200,
    );
    return { bytes, ...announced };
  }

  /** Stores a statement of an actor that carries what was uploaded. */
  async function carried(
    by: Actor,
    actor: string,
    { sha2, length, contentType }: Awaited<ReturnType<typeof uploaded>>,
  ) {
    const [object] = (await attachments.arrived(by, [sha2])).get(sha2) ?? [];
    if (object === undefined) throw new Error('nothing has arrived');
    const described = { usageType: 'http://example.org/a', display: {}, sha2, length, contentType };
    const batch = batchOf([statement({ actor: agent(actor), attachments: [described] })]);
    await serviceOn(database.db).store({
      ...batch,
      attachments: [{ sha2, contentType, content: Buffer.alloc(0), object }],
    });
  }

  it('stay when a statement carries them, however old the upload is', async () => {
    const content = await uploaded();
    await carried(owner, 'ann', content);
    now += 2 * day;
    expect(await removeUnused()).toBe(true);
    expect(bucket.objects.size).toBe(1);
    expect(await attachments.find(content.sha2, {})).toMatchObject({
      url: expect.stringContaining('X-Amz-'),
    });
  });

  it('are found for who vouches for one of the statements, also behind large ones of others', async () => {
    const content = await uploaded();
    const { sha2, length, contentType } = content;
    const [object] = (await attachments.arrived(owner, [sha2])).get(sha2) ?? [];
    if (object === undefined) throw new Error('nothing has arrived');
    const described = { usageType: 'http://example.org/a', display: {}, sha2, length, contentType };
    const carriedBy = (authority: Actor, characters: number) => {
      const result = { response: 'x'.repeat(characters) };
      return serviceOn(database.db).store({
        ...batchOf([statement({ attachments: [described], result })]),
        authority,
        attachments: [{ sha2, contentType, content: Buffer.alloc(0), object }],
      });
    };
    const [mine, other, third] = ['mine', 'other', 'third'].map((name) => agent(name) as Actor);
    if (mine === undefined || other === undefined) throw new Error('nobody');
    await carriedBy(mine, 1);
    for (const characters of [1, 200_000, 300_000, 1]) await carriedBy(other, characters);
    expect(await attachments.find(sha2, { authority: mine })).toMatchObject({ url: expect.any(String) });
    await expect(attachments.find(sha2, { authority: third })).rejects.toThrow('No statement');
  });

  it('are removed when no statement has referred to them within a day, and do not count any more then', async () => {
    const content = await uploaded();
    now += day - 1000;
    await removeUnused();
    expect(bucket.objects.size).toBe(1);
    now += 1000 + 2 * 900_000;
    expect(await attachments.arrived(owner, [content.sha2])).toEqual(new Map());
    await removeUnused();
    expect(bucket.objects.size).toBe(0);
    for (let times = 0; times < 10; times += 1) await uploaded();
    await expect(uploaded()).rejects.toThrow('attachmentMaxUploads');
  });

  it('are removed at once when the last statement that carries them is erased after that day', async () => {
    const content = await uploaded();
    await carried(owner, 'ann', content);
    await carried(owner, 'ben', content);
    now += 2 * day;
    await removeUnused();
    await erase('ann');
    await removeUnused();
    expect(bucket.objects.size).toBe(1);
    expect((await erase('ben')).attachment).toBe(1);
    await removeUnused();
    expect(bucket.objects.size).toBe(0);
    await expect(attachments.find(content.sha2, {})).rejects.toThrow('No statement');
  });

  it('whose upload is still open are removed after an erasure when no request can go on with them', async () => {
    const content = await uploaded();
    await carried(owner, 'ann', content);
    await erase('ann');
    // The erasure goes by the clock of this machine.
    now = Date.now() + 1000;
    expect(await attachments.arrived(owner, [content.sha2])).toEqual(new Map());
    await removeUnused();
    expect(bucket.objects.size).toBe(1);
    now += 1_300_000;
    await removeUnused();
    expect(bucket.objects.size).toBe(0);
  });

  it('are one of two with the same content that two have uploaded; the other is removed', async () => {
    const bytes = randomBytes(50);
    const second = agent('second') as Actor;
    const [first, again] = [await uploaded(owner, bytes), await uploaded(second, bytes)];
    await carried(owner, 'ann', first);
    await carried(second, 'ben', again);
    expect(bucket.objects.size).toBe(2);
    now += 2 * day;
    await removeUnused();
    expect(bucket.objects.size).toBe(1);
    await erase('ann');
    await removeUnused();
    const found = await attachments.find(first.sha2, {});
    const response = await fetch('url' in found ? found.url : '');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  it('are tried again when the bucket does not answer', async () => {
    await uploaded();
    now += 2 * day;
    bucket.fail(true);
    await expect(removeUnused()).rejects.toThrow('store of attachments');
    bucket.fail(false);
    await removeUnused();
    expect(bucket.objects.size).toBe(0);
  });

  it('are left for the next time after the deadline', async () => {
    await uploaded();
    now += 2 * day;
    expect(await attachments.removeUnused(0)).toBe(false);
    expect(bucket.objects.size).toBe(1);
  });

  it('keep the upload that is there when its content is announced again with another length or type', async () => {
    const content = await uploaded();
    const { sha2, length } = content;
    await attachments.announce(owner, { ...content, length: length + 1 });
    await attachments.announce(owner, { ...content, contentType: 'text/plain' });
    const found = (await attachments.arrived(owner, [sha2])).get(sha2);
    expect(found).toMatchObject([{ length, contentType: 'video/mp4' }]);
    await carried(owner, 'ann', content);
    now += 2 * day;
    await removeUnused();
    expect(bucket.objects.size).toBe(1);
  });

  describe('of contents that come with their statements', () => {
    const inlineBytes = 100;
    const service = (pageBytes = 1_000_000) =>
      serviceOn(database.db, {
        pageBytes,
        contents: bucketContents(database.db, { objects, inlineBytes, now: () => now }),
      });
    const contentOf = (length: number, contentType = 'video/mp4') => {
      const content = randomBytes(length);
      return { sha2: createHash('sha256').update(content).digest('hex'), contentType, content };
    };
    type Content = ReturnType<typeof contentOf>;
    const carrying = (contents: readonly Content[], more: object = {}) =>
      batchOf(
        [
          statement({
            attachments: contents.map(({ sha2, contentType, content }) => ({
              usageType: 'http://example.org/a',
              display: {},
              sha2,
              contentType,
              length: content.length,
            })),
            ...more,
          }),
        ],
        { attachments: contents },
      );
    const withContents = { ...exact, attachments: true };
    const rows = (table: string) =>
      database.db.read((session) => session.select<{ sha2: string }>(`SELECT sha2 FROM ${table}`));

    it('hold the large ones; small ones lie in the database, and both come back', async () => {
      const contents = [contentOf(inlineBytes), contentOf(inlineBytes + 1), contentOf(50_000)];
      const [small, ...large] = contents;
      const [id = ''] = await service().store(carrying(contents));
      expect(await rows('attachment')).toEqual([{ sha2: small?.sha2 }]);
      const stored = [...bucket.objects.values()].map(({ content }) => content.length);
      expect(stored.sort((a, b) => a - b)).toEqual(large.map(({ content }) => content.length));
      const bySize = (a: AttachmentContent, b: AttachmentContent) => a.content.length - b.content.length;
      for (const page of [
        await service().query(everything, withContents),
        await service().get({ id, voided: false }, withContents),
      ]) {
        expect(page.attachments.toSorted(bySize)).toEqual(contents);
      }
      expect((await service().query(everything, exact)).attachments).toEqual([]);
    });

    it('come along with their statements, so that a page ends before it is too large', async () => {
      const contents = Array.from({ length: 5 }, () => contentOf(4000));
      for (const content of contents) await service().store(carrying([content]));
      const first = await service(10_000).query(everything, withContents);
      expect([first.statements.length, first.attachments.length]).toEqual([2, 2]);
      const second = await service(10_000).query({ ...everything, from: first.next ?? 0 }, withContents);
      expect([second.statements.length, second.attachments.length]).toEqual([2, 2]);
      const alone = await service(1000).query(everything, withContents);
      expect([alone.statements.length, alone.attachments.length]).toEqual([1, 1]);
    });

    it('come along although somebody has uploaded the same content before', async () => {
      const upload = await uploaded(owner, randomBytes(2000));
      await carried(owner, 'ann', upload);
      expect((await service(1).query(everything, withContents)).attachments).toEqual([]);
      const { sha2, contentType, bytes: content } = upload;
      await service().store(carrying([{ sha2, contentType, content }]));
      const page = await service(1).query(everything, withContents);
      expect(page.attachments).toEqual([{ sha2, contentType, content }]);
      expect(await rows('attachment')).toEqual([]);
    });

    it('are written before a statement refers to them, and none does when the bucket fails', async () => {
      bucket.fail(true);
      const batch = carrying([contentOf(2000), contentOf(10)]);
      await expect(service().store(batch)).rejects.toThrow('store of attachments');
      bucket.fail(false);
      expect((await service().query(everything, exact)).statements).toEqual([]);
      for (const table of ['attachment', 'attachment_object', 'statement_attachment']) {
        expect(await rows(table), table).toEqual([]);
      }
      await service().store(batch);
      expect((await service().query(everything, withContents)).attachments).toHaveLength(2);
    });

    it('are removed later when nothing refers to them: after a conflict, a repetition, or a content that was there', async () => {
      const id = '6b0a4f6e-0c0f-4f38-9a55-0d3a3c7a6c11';
      const content = contentOf(2000);
      const batch = carrying([content], { id });
      await service().store(batch);
      await service().store(batch);
      await service().store(carrying([content]));
      await expect(
        service().store(carrying([contentOf(3000)], { id, result: { success: true } })),
      ).rejects.toThrow('differ');
      expect(bucket.objects.size).toBe(4);
      await removeUnused();
      expect(bucket.objects.size).toBe(4);
      now += 1_300_000;
      await removeUnused();
      expect(bucket.objects.size).toBe(1);
      const page = await service().query(everything, withContents);
      expect([page.statements.length, page.attachments]).toEqual([2, [content]]);
    });

    it('are removed when the last statement that carries them is erased', async () => {
      const content = contentOf(2000);
      await service().store(carrying([content], { actor: agent('ann') }));
      await service().store(carrying([content], { actor: agent('ben') }));
      now += 1_300_000;
      await removeUnused();
      await erase('ann');
      await removeUnused();
      expect(bucket.objects.size).toBe(1);
      expect(await attachments.find(content.sha2, {})).toMatchObject({ url: expect.any(String) });
      expect((await erase('ben')).attachment).toBe(1);
      await removeUnused();
      expect(bucket.objects.size).toBe(0);
    });
  });

  it('are not there for a request that refers to an upload which the bucket has lost', async () => {
    const content = await uploaded();
    bucket.objects.clear();
    expect(await attachments.arrived(owner, [content.sha2])).toEqual(new Map());
  });
});
