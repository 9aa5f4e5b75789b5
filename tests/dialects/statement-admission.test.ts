import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConflictError, InvalidError, UnavailableError } from '../../lib/errors.ts';
import { unlimited } from '../../lib/json/limits.ts';
import type { Delivery, StatementService } from '../../lib/statements/types.ts';
import type { UploadedPart } from '../../lib/xapi/statement/attachments.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { authority, foundIds, serviceOn, statement } from '../support/statements.ts';

const [sqlite] = engines;
let database: TestDatabase;
let service: StatementService;

const delivery = (text: string, more: Partial<Delivery> = {}): Delivery => ({
  json: Buffer.from(text),
  parts: [],
  authority,
  version: '1.0.3',
  limits: unlimited,
  ...more,
});

beforeEach(async () => {
  if (sqlite === undefined) throw new Error('There is no engine.');
  database = await sqlite.create();
  service = serviceOn(database.db, { waitingBytes: 1000 });
});
afterEach(() => database.remove());

it.each(['POST', 'PUT'])(
  'reserves memory for the body of a %s until its statements are stored',
  async (method) => {
    const id = randomUUID();
    const more = method === 'PUT' ? { statementId: id } : {};
    let endReading = (): void => {};
    const reading = new Promise<ReadonlyMap<string, readonly UploadedPart[]>>((resolve) => {
      endReading = () => resolve(new Map());
    });
    const text = JSON.stringify(statement({ id }));
    const first = service.receive(delivery(text, { ...more, uploaded: () => reading }));
    const large = delivery(' '.repeat(999) + text);
    await expect(service.receive(large)).rejects.toThrow(UnavailableError);
    endReading();
    expect(await first).toEqual([id]);
    expect(await service.receive(large)).toEqual([id]);
    expect(await foundIds(service)).toEqual([id]);
  },
);

it('releases the memory of bodies that are refused while they are read or written', async () => {
  const id = randomUUID();
  const text = JSON.stringify(statement({ id }));
  const other = JSON.stringify(statement({ id, verb: { id: 'http://example.org/other' } }));
  const large = (body: string) => service.receive(delivery(' '.repeat(999) + body));
  await large(text);
  await expect(large('{')).rejects.toThrow(InvalidError);
  await expect(large(other)).rejects.toThrow(ConflictError);
  expect(await large(text)).toHaveLength(1);
});

it('reads a small statement while one with large contents is read', async () => {
  const unhurried = serviceOn(database.db, { waitingBytes: 1_000_000 });
  let endReading = (): void => {};
  const reading = new Promise<ReadonlyMap<string, readonly UploadedPart[]>>((resolve) => {
    endReading = () => resolve(new Map());
  });
  const content = randomBytes(200_000);
  const sha2 = createHash('sha256').update(content).digest('hex');
  const described = {
    usageType: 'http://x.org/u',
    display: {},
    contentType: 'a/b',
    length: content.length,
    sha2,
  };
  const [slow, quick] = [randomUUID(), randomUUID()];
  const first = unhurried.receive(
    delivery(JSON.stringify(statement({ id: slow, attachments: [described] })), {
      parts: [{ sha2, content }],
      uploaded: () => reading,
    }),
  );
  expect(await unhurried.receive(delivery(JSON.stringify(statement({ id: quick }))))).toEqual([quick]);
  endReading();
  expect(await first).toEqual([slow]);
});
