import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConflictError, InvalidError, UnauthenticatedError, UnavailableError } from '../../lib/errors.ts';
import { giveWay } from '../../lib/in-turns.ts';
import { unlimited } from '../../lib/json/limits.ts';
import type { Delivery, StatementService } from '../../lib/statements/types.ts';
import type { UploadedPart } from '../../lib/xapi/statement/attachments.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { holdWrite } from '../support/held-write.ts';
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

it('authenticates a body again that has waited for long, and not one that has not', async () => {
  const unhurried = serviceOn(database.db, { waitingBytes: 100_000_000 });
  const revoked = () => Promise.reject(new UnauthenticatedError('The key pair is not known.'));
  const held = await holdWrite(database.db);
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    // Together they fill the memory of their size class, so the last one waits.
    const bodies = Array.from({ length: 64 }, () => {
      const text = JSON.stringify(statement({ id: randomUUID() }));
      return delivery(text.padEnd(16 * 1024), { authenticateAgain: revoked });
    });
    const stored = bodies.map((body) => unhurried.receive(body));
    const id = randomUUID();
    const late = unhurried.receive(
      delivery(JSON.stringify(statement({ id })).padEnd(16 * 1024), { authenticateAgain: revoked }),
    );
    // All of the others have been admitted by the time that two large bodies are read one after the other.
    for (let read = 0; read < 64; read += 1) await giveWay();
    vi.advanceTimersByTime(2000);
    held.release();
    await expect(late).rejects.toThrow(UnauthenticatedError);
    expect((await Promise.all(stored)).flat()).toHaveLength(64);
    expect(await foundIds(unhurried)).not.toContain(id);
  } finally {
    vi.useRealTimers();
    held.release();
    await held.done;
  }
});
