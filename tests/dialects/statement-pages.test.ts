import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotFoundError } from '../../lib/errors.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import type { Actor } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import {
  agent,
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

describe.each(engines)('pages of statements on $name', (engine) => {
  let database: TestDatabase;
  let service: StatementService;

  beforeEach(async () => {
    database = await engine.create();
    service = serviceOn(database.db);
  });

  afterEach(() => database.remove());

  it('come newest first or, ascending, oldest first, and end without a next', async () => {
    const ids = await service.store(batchOf(Array.from({ length: 25 }, () => statement())));
    for (const ascending of [false, true]) {
      const pages = await walk(service, { ascending, limit: 10 });
      expect(pages.map(({ statements }) => statements.length)).toEqual([10, 10, 5]);
      expect(pages.at(-1)).not.toHaveProperty('next');
      expect(await foundIds(service, { ascending, limit: 10 })).toEqual(ascending ? ids : ids.toReversed());
    }
  });

  it('have no next when the last statement fits exactly', async () => {
    await service.store(batchOf(Array.from({ length: 10 }, () => statement())));
    expect(await walk(service, { limit: 10 })).toHaveLength(1);
  });

  it('hold what is stored after since and until until, both ways (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const ids = await service.store(batchOf(Array.from({ length: 6 }, () => statement())));
    const [page] = await walk(service, { ascending: true });
    const positions = page?.statements.map(({ position }) => position) ?? [];
    const [, since = 0, , , until = 0] = positions;
    for (const limit of [1, 2, 100]) {
      for (const filter of [{}, { verb: statement().verb.id }]) {
        const query = { since, until, limit, ...filter };
        expect(await foundIds(service, { ...query, ascending: true })).toEqual(ids.slice(2, 5));
        expect(await foundIds(service, query)).toEqual(ids.slice(2, 5).toReversed());
      }
    }
  });

  it('are bounded by bytes, but always hold one statement', async () => {
    const description = { en: 'x'.repeat(3000) };
    const large = statement({ object: { id: 'https://example.org/large', definition: { description } } });
    const ids = await service.store(
      batchOf([statement(), large, statement(), large, large, statement(), statement()]),
    );
    const small = serviceOn(database.db, { pageBytes: 2000 });
    for (const ascending of [false, true]) {
      const pages = await walk(small, { ascending });
      for (const { statements } of pages) {
        const bytes = statements.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
        expect(bytes <= 2000 || statements.length === 1).toBe(true);
      }
      expect(await foundIds(small, { ascending })).toEqual(ascending ? ids : ids.toReversed());
      expect(pages.length).toBeLessThan(ids.length);
    }
  });

  it('count bytes, not characters', async () => {
    const description = { en: '€'.repeat(400) };
    const wide = statement({ object: { id: 'https://example.org/wide', definition: { description } } });
    await service.store(batchOf([wide, wide]));
    const length = Buffer.byteLength((await service.query(everything, exact)).statements[0]?.text ?? '');
    expect(await walk(serviceOn(database.db, { pageBytes: 2 * length }))).toHaveLength(1);
    expect(await walk(serviceOn(database.db, { pageBytes: 2 * length - 1 }))).toHaveLength(2);
  });

  it('count the contents of attachments when these are asked for', async () => {
    const content = Buffer.alloc(5000, 1);
    const sha2 = createHash('sha256').update(content).digest('hex');
    const contentType = 'text/plain';
    const attachments = [
      { usageType: 'https://example.org/u', display: {}, contentType, length: 5000, sha2 },
    ];
    const contents = { attachments: [{ sha2, contentType, content }] };
    await service.store(
      batchOf([statement({ attachments }), statement(), statement({ attachments })], contents),
    );
    const small = serviceOn(database.db, { pageBytes: 4000 });
    expect(await walk(small)).toHaveLength(1);
    const pages = await walk(small, {}, { ...exact, attachments: true });
    expect(pages.map(({ statements }) => statements.length)).toEqual([1, 1, 1]);
    expect(pages.map(({ attachments: { length } }) => length)).toEqual([1, 0, 1]);
  });

  it('hold only statements of the authority that is asked for', async () => {
    const other = agent('other-authority');
    const [mine = ''] = await service.store(batchOf([statement()]));
    const [theirs = ''] = await service.store(batchOf([statement()], { authority: other }));
    expect(await foundIds(service, { authority })).toEqual([mine]);
    expect(await foundIds(service, { authority: other, verb: statement().verb.id })).toEqual([theirs]);
    await expect(service.get({ id: theirs, voided: false, authority }, exact)).rejects.toThrow(NotFoundError);
    await expect(service.get({ id: mine, voided: false, authority }, exact)).resolves.toBeDefined();
  });

  it('hold, for an authority of application and user, only statements of both together', async () => {
    const group = (user: string) => ({ objectType: 'Group' as const, member: [authority, agent(user)] });
    const storedBy = async (by: Actor) =>
      (await service.store(batchOf([statement()], { authority: by })))[0] ?? '';
    const ofAnn = await storedBy(group('ann'));
    const ofBen = await storedBy(group('ben'));
    await storedBy(authority);
    expect(await foundIds(service, { authority: group('ann') })).toEqual([ofAnn]);
    const ofAnnOnly = { voided: false, authority: group('ann') };
    await expect(service.get({ id: ofAnn, ...ofAnnOnly }, exact)).resolves.toBeDefined();
    await expect(service.get({ id: ofBen, ...ofAnnOnly }, exact)).rejects.toThrow(NotFoundError);
  });

  it('show statements in the asked format (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const names = { 'de-DE': 'Etwas', 'en-US': 'Something' };
    const [id = ''] = await service.store(
      batchOf([
        statement({
          actor: { ...agent('ann'), name: 'Ann' },
          object: { id: 'https://example.org/o', definition: { name: names } },
        }),
      ]),
    );
    const ids = await service.get({ id, voided: false }, { ...exact, format: 'ids' });
    expect(JSON.parse(ids.statements[0]?.text ?? '')).toMatchObject({
      actor: { mbox: 'mailto:ann@example.org' },
    });
    expect(ids.statements[0]?.text).not.toContain('Ann');
    const canonical = await service.get(
      { id, voided: false },
      { ...exact, format: 'canonical', languages: ['en'] },
    );
    expect(JSON.parse(canonical.statements[0]?.text ?? '').object.definition.name).toEqual({
      'en-US': 'Something',
    });
    expect(await read(service, id)).toMatchObject({ object: { definition: { name: names } } });
  });

  it('are not disturbed by what is stored while they are walked', async () => {
    const ids = await service.store(batchOf(Array.from({ length: 9 }, () => statement())));
    const first = await service.query({ ...everything, limit: 4 }, exact);
    await service.store(batchOf([statement()]));
    const rest = await foundIds(service, { limit: 4, from: first.next ?? 0 });
    const seen = first.statements.map(({ text }) => JSON.parse(text).id);
    expect([...seen, ...rest]).toEqual(ids.toReversed());
  });
});
