import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentService } from '../../lib/documents/service.ts';
import { defaultLimits } from '../../lib/documents/types.ts';
import { TooLargeError } from '../../lib/errors.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { serverEngines, type TestDatabase } from '../support/engines.ts';
import { batchOf, everything, exact, serviceOn, statement } from '../support/statements.ts';

const mariadb = serverEngines.filter(({ family }) => family === 'mariadb');

describe.each(mariadb)('what is larger than max_allowed_packet of $name', (engine) => {
  let database: TestDatabase;
  let limit: number;

  beforeEach(async () => {
    database = await engine.create();
    const sql = 'SELECT @@max_allowed_packet AS bytes';
    const [row] = await database.db.read((session) => session.select<{ bytes: number }>(sql));
    limit = row?.bytes ?? 0;
  });
  afterEach(() => database.remove());

  const refusal = () => expect.stringContaining(`${limit} bytes that max_allowed_packet`);
  const long = (bytes: number): Statement => statement({ result: { response: 'x'.repeat(bytes) } });

  it('is refused as too large with all that came with it, and what others store at the same time is kept', async () => {
    const service = serviceOn(database.db);
    const others = [statement(), statement()];
    const [refused, ...stored] = await Promise.allSettled([
      service.store(batchOf([statement(), long(limit + 1000)])),
      ...others.map((other) => service.store(batchOf([other]))),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { kind: 'too-large', message: refusal() } });
    expect(stored.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect((await service.query(everything, exact)).statements).toHaveLength(2);
  });

  it('is no reason to refuse statements each of which is smaller', async () => {
    const service = serviceOn(database.db);
    const third = Math.ceil(limit / 3);
    const ids = await service.store(batchOf([long(third), long(third), long(third), long(third)]));
    expect(ids).toHaveLength(4);
  });

  it('is refused as too large when it is a document', async () => {
    const documents = createDocumentService(database.db, {
      limits: { ...defaultLimits, maxBytes: 4 * limit },
    });
    const address = {
      kind: 'agents/profile',
      activity: undefined,
      agent: 'mbox::mailto:a@example.org',
      registration: undefined,
      id: 'large',
    } as const;
    const put = (content: Buffer) =>
      documents.put(
        address,
        { contentType: 'text/plain', content },
        { version: '1.0.3', conditions: { ifNoneMatch: '*' } },
      );
    const refused = await put(Buffer.alloc(limit + 1)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TooLargeError);
    expect(refused).toMatchObject({ message: refusal() });
    await put(Buffer.from('small'));
    expect((await documents.get(address)).content.toString()).toBe('small');
  });
});
