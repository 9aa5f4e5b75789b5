import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bucketContents } from '../../lib/attachments/bucket-contents.ts';
import { InvalidError, UnavailableError } from '../../lib/errors.ts';
import { unlimited } from '../../lib/json/limits.ts';
import type { Delivery, StatementService } from '../../lib/statements/types.ts';
import type { UploadedPart } from '../../lib/xapi/statement/attachments.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { authority, exact, foundIds, serviceOn, statement } from '../support/statements.ts';

type Uploads = ReadonlyMap<string, readonly UploadedPart[]>;

const [sqlite] = engines;
const waitingBytes = 1_000_000;
let database: TestDatabase;

beforeEach(async () => {
  if (sqlite === undefined) throw new Error('There is no engine.');
  database = await sqlite.create();
});
afterEach(() => database.remove());

const delivery = (sent: Statement, more: Partial<Delivery> = {}): Delivery => ({
  json: Buffer.from(JSON.stringify(sent)),
  parts: [],
  authority,
  version: '1.0.3',
  limits: unlimited,
  ...more,
});
const honest = (service: StatementService) => {
  const id = randomUUID();
  return service.receive(delivery(statement({ id }))).then((ids) => expect(ids).toEqual([id]));
};
const contentOf = (bytes: number) => {
  const content = randomBytes(bytes);
  const sha2 = createHash('sha256').update(content).digest('hex');
  const described = { usageType: 'http://x.org/u', display: {}, contentType: 'a/b', length: bytes, sha2 };
  return { content, sha2, described };
};

describe('while the store of attachments is asked for uploads', () => {
  const { sha2, described } = contentOf(10);
  const object = { objectId: randomUUID(), contentType: 'a/b', length: 10 };

  /** A request that refers to an upload, of which nothing is known before `answer`. */
  function asking(service: StatementService, more: Partial<Delivery> = {}) {
    let answer = (_uploads: Uploads): void => {};
    let wasAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (wasAsked = resolve));
    const uploaded = (hashes: readonly string[]): Promise<Uploads> => {
      expect(hashes).toEqual([sha2]);
      wasAsked();
      return new Promise((resolve) => (answer = resolve));
    };
    const id = randomUUID();
    const sent = statement({ id, attachments: [described] });
    const received = service.receive(delivery(sent, { uploaded, ...more }));
    return { id, received, asked, answer: (uploads: Uploads) => answer(uploads) };
  }

  it('other statements are stored', async () => {
    const service = serviceOn(database.db, { waitingBytes });
    const requests = Array.from({ length: 20 }, () => asking(service));
    await Promise.all(requests.map(({ asked }) => asked));
    await honest(service);
    for (const { answer } of requests) answer(new Map([[sha2, [object]]]));
    const ids = await Promise.all(requests.map(({ received }) => received));
    expect(ids.flat()).toEqual(requests.map(({ id }) => id));
  });

  it('each statement is told as valid once, and refused when its upload is not there', async () => {
    const service = serviceOn(database.db, { waitingBytes });
    let valid = 0;
    const request = asking(service, { onValid: () => (valid += 1) });
    await request.asked;
    request.answer(new Map());
    await expect(request.received).rejects.toThrow(InvalidError);
    expect([valid, await foundIds(service)]).toEqual([1, []]);
  });

  it('no more bodies wait than the limit permits', async () => {
    const service = serviceOn(database.db, { waitingBytes: 1000 });
    const first = asking(service);
    await first.asked;
    const { uploaded } = delivery(statement(), { uploaded: async () => new Map([[sha2, [object]]]) });
    const many = statement({ attachments: [described], result: { response: 'x'.repeat(800) } });
    await expect(service.receive(delivery(many, { uploaded }))).rejects.toThrow(UnavailableError);
    first.answer(new Map([[sha2, [object]]]));
    expect(await first.received).toEqual([first.id]);
    expect(await service.receive(delivery(many, { uploaded }))).toHaveLength(1);
  });
});

describe('while contents are put into the bucket', () => {
  it('other large requests are stored', async () => {
    let puts = 0;
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let started = (): void => {};
    const isPutting = new Promise<void>((resolve) => (started = resolve));
    const contents = bucketContents(database.db, {
      inlineBytes: 100_000,
      objects: {
        requireAnswers: () => {},
        read: () => Promise.reject(new Error('nothing is read')),
        put: () => {
          puts += 1;
          started();
          return finished;
        },
      },
    });
    const service = serviceOn(database.db, { contents });
    const uploads = Array.from({ length: 3 }, () => {
      const { content, sha2, described } = contentOf(4_500_000);
      return service.receive(
        delivery(statement({ attachments: [described] }), { parts: [{ sha2, content }] }),
      );
    });
    await isPutting;
    await honest(service);
    const { content, sha2, described } = contentOf(99_000);
    const large = statement({ attachments: [described], result: { response: 'x'.repeat(100_000) } });
    expect(await service.receive(delivery(large, { parts: [{ sha2, content }] }))).toHaveLength(1);
    expect(puts).toBe(1);
    finish();
    expect((await Promise.all(uploads)).flat()).toHaveLength(3);
    expect(puts).toBe(3);
  });
});

it('a large page is read while another one waits for contents from the bucket', async () => {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  let started = (): void => {};
  const isReading = new Promise<void>((resolve) => (started = resolve));
  const { content, sha2, described } = contentOf(200_000);
  const contents = bucketContents(database.db, {
    inlineBytes: 100_000,
    objects: {
      requireAnswers: () => {},
      put: async () => {},
      read: async () => {
        started();
        await finished;
        return content;
      },
    },
  });
  const service = serviceOn(database.db, { contents });
  const [slow = ''] = await service.receive(
    delivery(statement({ attachments: [described] }), { parts: [{ sha2, content }] }),
  );
  const [quick = ''] = await service.receive(
    delivery(statement({ result: { response: 'x'.repeat(200_000) } })),
  );
  const withContents = { ...exact, attachments: true };
  const first = service.get({ id: slow, voided: false }, withContents);
  await isReading;
  for (const presentation of [exact, withContents]) {
    expect((await service.get({ id: quick, voided: false }, presentation)).statements).toHaveLength(1);
  }
  finish();
  expect((await first).attachments).toMatchObject([{ sha2, content }]);
});
