import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttachmentContent } from '../../lib/attachments/types.ts';
import { ConflictError, NotFoundError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json/json.ts';
import { storedText } from '../../lib/position.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import type { Attachment, Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import {
  authority,
  batchOf,
  everything,
  exact,
  foundIds,
  read,
  serviceOn,
  statement,
  walk,
} from '../support/statements.ts';

function contentOf(content: Buffer, contentType = 'text/plain'): AttachmentContent {
  return { sha2: createHash('sha256').update(content).digest('hex'), contentType, content };
}

function attachmentOf({ sha2, contentType, content }: AttachmentContent): Attachment {
  const usageType = 'https://example.org/usage';
  return { usageType, display: { en: 'A file' }, contentType, length: content.length, sha2 };
}

describe.each(engines)('storing statements on $name', (engine) => {
  let database: TestDatabase;
  let service: StatementService;

  beforeEach(async () => {
    database = await engine.create();
    service = serviceOn(database.db);
  });

  afterEach(() => database.remove());

  it('answers with the ids in order, made up where there was none (xAPI 1.0.3 Data 2.4.1)', async () => {
    const id = randomUUID();
    const ids = await service.store(batchOf([statement(), statement({ id }), statement()]));
    expect(ids).toHaveLength(3);
    expect(ids[1]).toBe(id);
    expect(new Set(ids).size).toBe(3);
    expect(await foundIds(service, { ascending: true })).toEqual(ids);
  });

  it('stores nothing and answers with nothing for an empty batch', async () => {
    expect(await service.store(batchOf([]))).toEqual([]);
    expect(await foundIds(service)).toEqual([]);
  });

  it('sets stored, authority and, where they are missing, timestamp and version (xAPI 1.0.3 Data 2.4)', async () => {
    const claimed = { stored: '2001-01-01T00:00:00Z', authority: { mbox: 'mailto:liar@example.org' } };
    const sent = { timestamp: '2020-02-02T02:02:02.000+02:00', version: '1.0.2' };
    const ids = await service.store(batchOf([statement(claimed), statement(sent)]));
    const [first, second] = await Promise.all(ids.map((id) => read(service, id)));
    const page = await service.get({ id: ids[0] ?? '', voided: false }, exact);
    const stored = storedText(page.statements[0]?.position ?? 0);
    expect(first).toMatchObject({ stored, timestamp: stored, version: '1.0.0', authority });
    expect(second).toMatchObject({ ...sent, authority });
  });

  it('sets version 2.0.0 on a statement without one under 2.0.0 (xAPI 2.0 4.2)', async () => {
    const [id = ''] = await service.store({ ...batchOf([statement()]), version: '2.0.0' });
    expect((await read(service, id)).version).toBe('2.0.0');
  });

  it('keeps the text of numbers that a double would change', async () => {
    const text = `{"actor":{"mbox":"mailto:a@example.org"},"verb":{"id":"https://example.org/v"},"object":{"id":"https://example.org/o"},"result":{"score":{"raw":1.0},"extensions":{"https://example.org/e":12345678901234567890}}}`;
    const parsed = parseJson(Buffer.from(text));
    const batch = batchOf([]);
    const [id = ''] = await service.store({
      ...batch,
      statements: [
        { statement: parsed.value as unknown as Statement, source: parsed.source as unknown as Statement },
      ],
    });
    const page = await service.get({ id, voided: false }, exact);
    expect(page.statements[0]?.text).toContain('"raw":1.0');
    expect(page.statements[0]?.text).toContain('12345678901234567890');
  });

  it('keeps text that looks like SQL or like a question to the database exactly', async () => {
    const name = `'); DROP TABLE statement; -- PRAGMA INDEX_LIST(\`x\`) FROM \`statement\` :id $1 ? "\\ 😀 \u2028`;
    const [id = ''] = await service.store(batchOf([statement({ actor: { name, mbox: 'mailto:a@b.c' } })]));
    expect((await read(service, id)).actor.name).toBe(name);
  });

  it('stores an equal statement only once and answers with its id again (xAPI 1.0.3 Data 2.3.1)', async () => {
    const again = statement({ id: randomUUID() });
    await service.store(batchOf([again]));
    const stored = await read(service, String(again.id));
    expect(await service.store(batchOf([again, statement()]))).toContain(again.id);
    expect(await read(service, String(again.id))).toEqual(stored);
    expect(await foundIds(service)).toHaveLength(2);
  });

  it('takes ids that differ in case for the same (xAPI 1.0.3 Data 4.1)', async () => {
    const id = randomUUID();
    await service.store(batchOf([statement({ id: id.toUpperCase() })]));
    await service.store(batchOf([statement({ id })]));
    expect(await foundIds(service)).toEqual([id.toUpperCase()]);
    await expect(read(service, id)).resolves.toMatchObject({ id: id.toUpperCase() });
  });

  it('refuses the whole batch when one id is taken by a different statement (xAPI 1.0.3 Communication 2.1.2)', async () => {
    const id = randomUUID();
    await service.store(batchOf([statement({ id })]));
    const other = statement({ id, verb: { id: 'https://example.org/verbs/other' } });
    const refused = service.store(batchOf([statement(), other, statement()]));
    await expect(refused).rejects.toThrow(ConflictError);
    await expect(refused).rejects.toThrow(id);
    expect(await foundIds(service)).toEqual([id]);
  });

  it('lets a conflict fail its own request only, among many that are written together', async () => {
    const id = randomUUID();
    await service.store(batchOf([statement({ id })]));
    const other = statement({ id, verb: { id: 'https://example.org/verbs/other' } });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        service.store(batchOf(index % 10 === 0 ? [statement(), other] : [statement()])),
      ),
    );
    const failed = outcomes.flatMap(({ status }, index) => (status === 'rejected' ? index : []));
    expect(failed).toEqual(Array.from({ length: 20 }, (_, index) => index * 10));
    expect(await foundIds(service)).toHaveLength(1 + 180);
  });

  it('lets exactly one of many different statements with one id win', async () => {
    const id = randomUUID();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        service.store(batchOf([statement({ id, verb: { id: `https://example.org/verbs/${index}` } })])),
      ),
    );
    const won = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await read(service, id)).verb.id).toBe(`https://example.org/verbs/${won}`);
  });

  it('gives 200 requests at once unique positions that rise within each batch', async () => {
    const batches = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        service.store(batchOf(Array.from({ length: 1 + (index % 4) }, () => statement()))),
      ),
    );
    const pages = await walk(service, { ascending: true });
    const rows = pages.flatMap(({ statements }) => statements);
    const positions = rows.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    const places = new Map(rows.map(({ text, position }) => [JSON.parse(text).id, position]));
    expect(places.size).toBe(batches.flat().length);
    for (const ids of batches) {
      const own = ids.map((id) => places.get(id) ?? 0);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
  });

  it('never lets a reader see a part of a batch', async () => {
    const size = 40;
    let stop = false;
    const seen = new Set<number>();
    const reader = (async () => {
      while (!stop) {
        seen.add((await service.query({ ...everything, limit: 1000 }, exact)).statements.length % size);
      }
    })();
    for (let round = 0; round < 10; round += 1) {
      await service.store(batchOf(Array.from({ length: size }, () => statement())));
    }
    stop = true;
    await reader;
    expect([...seen]).toEqual([0]);
  });

  it('keeps attachment contents byte for byte, each once, empty ones too (xAPI 1.0.3 Data 2.4.11)', async () => {
    const contents = [Buffer.alloc(0), Buffer.from([0, 255, 13, 10, 0, 128]), Buffer.alloc(300_000, 7)].map(
      (content) => contentOf(content),
    );
    const carrying = statement({ attachments: contents.map(attachmentOf) });
    await service.store(batchOf([carrying, carrying], { attachments: contents }));
    await service.store(batchOf([carrying], { attachments: contents }));
    const page = await service.query(everything, { ...exact, attachments: true });
    expect(page.statements).toHaveLength(3);
    const byHash = (a: AttachmentContent, b: AttachmentContent) => (a.sha2 < b.sha2 ? -1 : 1);
    expect(page.attachments.toSorted(byHash)).toEqual(contents.toSorted(byHash));
    const [row] = await database.db.read((session) =>
      session.select<{ amount: number }>('SELECT COUNT(*) AS amount FROM attachment'),
    );
    expect(row?.amount).toBe(contents.length);
  });

  it('gives a shared content the type that each statement says it has', async () => {
    const content = Buffer.from('{}');
    const plain = contentOf(content);
    const json = contentOf(content, 'application/json');
    const [first = ''] = await service.store(
      batchOf([statement({ attachments: [attachmentOf(plain)] })], { attachments: [plain] }),
    );
    const [second = ''] = await service.store(
      batchOf([statement({ attachments: [attachmentOf(json)] })], { attachments: [json] }),
    );
    const withContents = { ...exact, attachments: true };
    expect((await service.get({ id: first, voided: false }, withContents)).attachments).toEqual([plain]);
    expect((await service.get({ id: second, voided: false }, withContents)).attachments).toEqual([json]);
  });

  it('has no content for an attachment that came with a fileUrl only, even if another statement brought it', async () => {
    const content = contentOf(Buffer.from('shared'));
    const described = attachmentOf(content);
    await service.store(batchOf([statement({ attachments: [described] })], { attachments: [content] }));
    const remote = { ...described, fileUrl: 'https://example.org/file' };
    const [id = ''] = await service.store(batchOf([statement({ attachments: [remote] })]));
    const page = await service.get({ id, voided: false }, { ...exact, attachments: true });
    expect(page.attachments).toEqual([]);
  });

  it('keeps no content of a request that is refused', async () => {
    const id = randomUUID();
    await service.store(batchOf([statement({ id })]));
    const content = contentOf(Buffer.from('orphan'));
    const other = statement({ id, attachments: [attachmentOf(content)] });
    await expect(service.store(batchOf([other], { attachments: [content] }))).rejects.toThrow(ConflictError);
    const rows = await database.db.read((session) => session.select('SELECT sha2 FROM attachment'));
    expect(rows).toEqual([]);
  });

  it('leaves the columns ready for SQL of one’s own', async () => {
    const registration = randomUUID();
    const id = randomUUID();
    await service.store(batchOf([statement({ id, context: { registration } })]));
    const rows = await database.db.read((session) =>
      session.select('SELECT id, voided, verb, actor, object, registration FROM statement'),
    );
    expect(rows).toEqual([
      {
        id,
        voided: 0,
        verb: 'https://example.org/verbs/did',
        actor: 'mbox::mailto:someone@example.org',
        object: 'https://example.org/activities/something',
        registration,
      },
    ]);
  });

  it('says so when there is no statement with an id', async () => {
    await expect(service.get({ id: randomUUID(), voided: false }, exact)).rejects.toThrow(NotFoundError);
  });
});
