import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentService } from '../../lib/documents/service.ts';
import { ConflictError } from '../../lib/errors.ts';
import { sharedEngines, type TestDatabase } from '../support/engines.ts';
import { batchOf, foundIds, read, serviceOn, statement, voiding, walk } from '../support/statements.ts';

describe.each(sharedEngines)('two services with connections of their own to $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  it('write at once without losing, repeating or failing anything', async () => {
    const services = [serviceOn(database.db), serviceOn(await database.openAgain())];
    const batches = await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const service = services[index % 2];
        return service?.store(batchOf(Array.from({ length: 1 + (index % 5) }, () => statement()))) ?? [];
      }),
    );
    const sent = batches.flat().toSorted();
    for (const service of services) {
      expect((await foundIds(service)).toSorted()).toEqual(sent);
      const rows = (await walk(service)).flatMap(({ statements }) => statements);
      expect(new Set(rows.map(({ position }) => position)).size).toBe(sent.length);
    }
  });

  it('agree on who was first with an id', async () => {
    const services = [serviceOn(database.db), serviceOn(await database.openAgain())];
    for (let round = 0; round < 10; round += 1) {
      const id = randomUUID();
      const outcomes = await Promise.allSettled(
        services.map((service, index) =>
          service.store(batchOf([statement({ id, verb: { id: `https://example.org/verbs/${index}` } })])),
        ),
      );
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.map(({ reason }) => reason)).toEqual([expect.any(ConflictError)]);
    }
  });

  it('see at once what the other has stored and voided', async () => {
    const one = serviceOn(database.db);
    const other = serviceOn(await database.openAgain());
    const [id = ''] = await one.store(batchOf([statement()]));
    await expect(read(other, id)).resolves.toMatchObject({ id });
    const [voider = ''] = await other.store(batchOf([voiding(id)]));
    await expect(read(one, id, true)).resolves.toMatchObject({ id });
    expect(await foundIds(one)).toEqual([voider]);
  });

  it('keep positions rising when the clock of one of them is behind', async () => {
    const late = serviceOn(await database.openAgain(), { now: () => 1000 });
    const [first = ''] = await serviceOn(database.db).store(batchOf([statement()]));
    const [second = ''] = await late.store(batchOf([statement()]));
    expect(await foundIds(late, { ascending: true })).toEqual([first, second]);
  });

  it('lose no change of a document, and let one of many conditional ones win', async () => {
    const services = [createDocumentService(database.db), createDocumentService(await database.openAgain())];
    const address = {
      kind: 'activities/state',
      activity: 'https://example.org/course',
      agent: 'mbox::mailto:ann@example.org',
      registration: undefined,
      id: 'progress',
    } as const;
    const json = (value: object) => ({
      contentType: 'application/json',
      content: Buffer.from(JSON.stringify(value)),
    });
    const created = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        services[index % 2]?.put(address, json({ first: index }), {
          conditions: { ifNoneMatch: '*' },
          version: '1.0.3',
        }),
      ),
    );
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        services[index % 2]?.merge(address, json({ [`member${index}`]: index }), {
          conditions: {},
          version: '1.0.3',
        }),
      ),
    );
    const document = await services[0]?.get(address);
    expect(Object.keys(JSON.parse(String(document?.content)))).toHaveLength(41);
  });
});
