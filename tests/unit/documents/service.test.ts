import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../lib/db/connect.ts';
import type { Database } from '../../../lib/db/types.ts';
import { entityTagOf } from '../../../lib/documents/entity-tag.ts';
import { createDocumentService } from '../../../lib/documents/service.ts';
import type { Conditions, DocumentAddress } from '../../../lib/documents/types.ts';
import { NotFoundError, PreconditionFailedError } from '../../../lib/errors.ts';
import { createLogger } from '../../../lib/logger.ts';

let directory: string;
let opened: Database[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'documents-'));
  opened = [];
});
afterEach(async () => {
  for (const db of opened) await db.close();
  rmSync(directory, { recursive: true });
});

async function open(dbName = join(directory, 'lrs.db')): Promise<Database> {
  const db = await openDatabase({ dbType: 'sqlite', dbName }, createLogger('OFF'));
  opened.push(db);
  return db;
}

const address: DocumentAddress = {
  kind: 'activities/state',
  activity: 'http://example.org/activity',
  agent: 'mbox::mailto:a@example.org',
  registration: undefined,
  id: 'state',
};
const bytes = (text: string) => ({ contentType: 'application/json', content: Buffer.from(text) });
const terms = (conditions: Conditions = {}) => ({ version: '1.0.3', conditions }) as const;

describe('documents on one database', () => {
  it.each([':memory:', undefined])(
    'a document is found with its content, type, ETag and time (%s)',
    async (name) => {
      const service = createDocumentService(await open(name), { now: () => 1_700_000_000_000_123 });
      await service.put(address, bytes(''), terms());
      expect(await service.get(address)).toEqual({
        ...bytes(''),
        etag: entityTagOf(''),
        updated: 1_700_000_000_000_123,
      });
      await expect(service.get({ ...address, id: 'other' })).rejects.toThrow(NotFoundError);
    },
  );

  it('contents beyond what one transaction takes together are kept', async () => {
    const service = createDocumentService(await open());
    const big = Buffer.alloc(6_000_000, 'x');
    const ids = ['a', 'b', 'c'];
    await Promise.all(
      ids.map((id) => service.put({ ...address, id }, { contentType: 'text/plain', content: big }, terms())),
    );
    for (const id of ids) expect((await service.get({ ...address, id })).etag).toBe(entityTagOf(big));
  });

  it('a document survives that the database is closed and opened again', async () => {
    const db = await open();
    await createDocumentService(db).put(address, bytes('{}'), terms());
    await db.close();
    opened = [];
    expect((await createDocumentService(await open()).get(address)).content.toString()).toBe('{}');
  });

  it('people who query with SQL find documents by the values that identify them', async () => {
    const db = await open();
    const registration = '5b1e4a3e-4f0c-4c7e-8a55-0d8c1f1d6f00';
    await createDocumentService(db).put({ ...address, registration }, bytes('{}'), terms());
    const rows = await db.read((session) =>
      session.select(
        'SELECT kind, activity, agent, registration, id, content_type, etag FROM document WHERE agent = :agent',
        { agent: address.agent ?? '' },
      ),
    );
    const { kind, activity, agent, id } = address;
    const identity = { kind, activity, agent, registration, id };
    expect(rows).toEqual([{ ...identity, content_type: 'application/json', etag: entityTagOf('{}') }]);
  });
});

describe('two processes on one file', () => {
  const services = async () => [createDocumentService(await open()), createDocumentService(await open())];

  it('lose no property when both merge', async () => {
    const both = await services();
    const names = Array.from({ length: 25 }, (_, index) => `key${index}`);
    await Promise.all(
      both.flatMap((service, process) =>
        names.map((name) => service.merge(address, bytes(`{"${name}-${process}":1}`), terms())),
      ),
    );
    const [service] = both;
    const stored = await service?.get(address);
    expect(Object.keys(JSON.parse(String(stored?.content)))).toHaveLength(50);
  });

  it('let one of all conditional writes win', async () => {
    const both = await services();
    const answers = await Promise.allSettled(
      both.flatMap((service) =>
        Array.from({ length: 25 }, () => service.put(address, bytes('{}'), terms({ ifNoneMatch: '*' }))),
      ),
    );
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(49);
    for (const answer of refused)
      expect(answer).toMatchObject({ reason: expect.any(PreconditionFailedError) });
  });

  it('see each other’s documents at once, and DELETE of many waits for nobody', async () => {
    const [one, other] = await services();
    await one?.put(address, bytes('{}'), terms());
    expect((await other?.list(address))?.ids).toEqual(['state']);
    await Promise.all([other?.deleteAll(address, {}), one?.delete({ ...address, id: 'x' }, {})]);
    expect(await one?.list(address)).toEqual({ ids: [] });
  });
});
