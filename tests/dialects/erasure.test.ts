import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, WriteSession } from '../../lib/db/types.ts';
import { createDocumentService } from '../../lib/documents/service.ts';
import { createErasureService } from '../../lib/erasure/service.ts';
import { erasedTables, type RowCounts } from '../../lib/erasure/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { createStatusService } from '../../lib/status/service.ts';
import { statusMembers } from '../../lib/status/types.ts';
import type { Actor, Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, foundIds, reference, serviceOn, statement, voiding } from '../support/statements.ts';

const logger = createLogger('OFF');
const gone = agent('gone');
const identifier = 'mbox::mailto:gone@example.org';
const relatedAgents = true;

describe.each(engines)('an erasure on $name', (engine) => {
  let database: TestDatabase;
  let db: Database;

  beforeEach(async () => {
    database = await engine.create();
    db = database.db;
  });
  afterEach(() => database.remove());

  const erasure = () => createErasureService(db, logger);
  const store = (...statements: Statement[]) => serviceOn(db).store(batchOf(statements));
  const ids = () => foundIds(serviceOn(db), { ascending: true });

  async function rows(): Promise<RowCounts> {
    const counts: Record<string, number> = {};
    await db.read(async (session) => {
      for (const table of erasedTables) {
        // In one query, because entries move from one table to the other at any time.
        const waiting =
          table === 'statement_key'
            ? '(SELECT COALESCE(SUM(OCTET_LENGTH(search_keys)), 0) / 16 FROM statement_key_buffer)'
            : '0';
        const [row] = await session.select<{ n: number }>(
          `SELECT (SELECT COUNT(*) FROM ${table}) + ${waiting} AS n`,
        );
        counts[table] = Number(row?.n);
      }
    });
    return counts as unknown as RowCounts;
  }

  const minus = (one: RowCounts, other: RowCounts) =>
    Object.fromEntries(erasedTables.map((table) => [table, one[table] - other[table]]));

  it.each<[string, Statement]>([
    ['the Actor', statement({ actor: gone })],
    ['a member of a Group', statement({ actor: { objectType: 'Group', member: [agent('a'), gone] } })],
    ['the Object', statement({ object: gone })],
    ['the instructor', statement({ context: { instructor: gone } })],
    ['the team', statement({ context: { team: { ...gone, objectType: 'Group' } } })],
    [
      'an Agent of the context',
      statement({ context: { contextAgents: [{ objectType: 'contextAgent', agent: gone }] } }),
    ],
    [
      'the Actor of a SubStatement',
      statement({
        object: {
          objectType: 'SubStatement',
          actor: gone,
          verb: { id: 'http://x.org/v' },
          object: agent('b'),
        },
      }),
    ],
  ])('removes statements that mention the actor as %s', async (_, mentioning) => {
    const [other] = await store(statement(), mentioning);
    expect((await erasure().erase(identifier)).statement).toBe(1);
    expect(await ids()).toEqual([other]);
  });

  it('removes statements that the actor vouches for', async () => {
    await serviceOn(db).store(batchOf([statement()], { authority: gone as never }));
    const [other] = await store(statement());
    await erasure().erase(identifier);
    expect(await ids()).toEqual([other]);
  });

  it('removes all rows of the actor and no others, and counts them by table before and afterwards', async () => {
    await fill(agent('stays'));
    const before = await rows();
    await fill(gone);
    const after = await rows();
    const expected = minus(after, before);
    for (const table of erasedTables) expect([table, expected[table]]).toEqual([table, expect.any(Number)]);
    expect(Math.min(...Object.values(expected))).toBeGreaterThan(0);
    expect(await erasure().count(identifier)).toEqual(expected);
    expect(await rows()).toEqual(after);
    expect(await erasure().erase(identifier)).toEqual(expected);
    expect(await rows()).toEqual(before);
    expect(await erasure().erase(identifier)).toEqual(minus(before, before));
  });

  it('finds the documents of an actor whose identifier holds half a surrogate pair, and no others', async () => {
    const documents = createDocumentService(db);
    const terms = { version: '1.0.3', conditions: {} } as const;
    const document = { contentType: 'text/plain', content: Buffer.from('x') };
    const half = 'openid::http://x.org/\ud800';
    for (const agent of [half, 'openid::http://x.org/\ufffd', 'openid::http://x.org/\ufffd\ufffd\ufffd']) {
      const address = { agent, activity: 'http://x.org/a', registration: undefined, id: 'a' };
      await documents.put({ ...address, kind: 'activities/state' }, document, terms);
    }
    expect((await erasure().count(half)).document).toBe(1);
    expect((await erasure().erase(half)).document).toBe(1);
    expect((await rows()).document).toBe(2);
  });

  /** Every kind of row; contents that both actors' statements carry belong to neither. */
  async function fill(actor: Actor): Promise<void> {
    const content = (text: string) => {
      const bytes = Buffer.from(text);
      const sha2 = createHash('sha256').update(bytes).digest('hex');
      return { sha2, contentType: 'text/plain', content: bytes };
    };
    const contents = [content('shared'), content(JSON.stringify(actor))];
    const attachments = contents.map(({ sha2, contentType, content: bytes }) => ({
      usageType: 'http://x.org/u',
      display: {},
      contentType,
      length: bytes.length,
      sha2,
    }));
    const named = { ...actor, name: 'Somebody' };
    const batch = batchOf([statement({ actor: named, attachments }), reference(randomUUID(), { actor })], {
      attachments: contents,
    });
    await serviceOn(db).store(batch);
    const documents = createDocumentService(db);
    const terms = { version: '1.0.3', conditions: {} } as const;
    const document = { contentType: 'text/plain', content: Buffer.from('x') };
    const address = { agent: `mbox::${actor.mbox}`, registration: undefined, id: 'a' };
    await documents.put(
      { ...address, kind: 'activities/state', activity: 'http://x.org/a' },
      document,
      terms,
    );
    await documents.merge({ ...address, kind: 'agents/profile', activity: undefined }, document, terms);
  }

  it('keeps statements that only refer to removed ones, and they are not found by the actor any more', async () => {
    const [id = ''] = await store(statement({ actor: gone }));
    const [direct = ''] = await store(reference(id));
    const [indirect = ''] = await store(reference(direct));
    expect(await foundIds(serviceOn(db), { agent: gone, ascending: true })).toEqual([id, direct, indirect]);
    await erasure().erase(identifier);
    expect(await ids()).toEqual([direct, indirect]);
    expect(await foundIds(serviceOn(db), { agent: gone, relatedAgents })).toEqual([]);
    await store(reference(direct));
    expect(await foundIds(serviceOn(db), { agent: gone, relatedAgents })).toEqual([]);
    expect(await foundIds(serviceOn(db), { agent: agent('someone') })).toHaveLength(3);
  });

  it('removes voided statements, which no filter finds', async () => {
    const [id = ''] = await store(statement({ actor: gone }));
    const [voider] = await store(voiding(id));
    expect((await erasure().count(identifier)).statement).toBe(1);
    expect((await erasure().erase(identifier)).statement).toBe(1);
    expect(await ids()).toEqual([voider]);
    await expect(
      serviceOn(db).get({ id, voided: true }, { format: 'exact', attachments: false, languages: [] }),
    ).rejects.toThrow();
  });

  it('removes statements that are voided while it walks', async () => {
    const stored = await store(...Array.from({ length: 250 }, () => statement({ actor: gone })));
    let transactions = 0;
    const interrupted: Database = {
      ...boundTo(db),
      write: async (work) => {
        const result = await db.write(work);
        transactions += 1;
        // The walk is backwards: the oldest statements are still there.
        if (transactions === 3) await store(...stored.slice(0, 10).map((id) => voiding(id)));
        return result;
      },
    };
    expect((await createErasureService(interrupted, logger).erase(identifier)).statement).toBe(250);
    expect(await ids()).toHaveLength(10);
    expect(await erasure().count(identifier)).toMatchObject({ statement: 0 });
  });

  it('a removed voider leaves its target voided, which is found when its own actor is erased', async () => {
    const [id = ''] = await store(statement({ actor: agent('target') }));
    await store(voiding(id, { actor: gone }));
    await erasure().erase(identifier);
    expect(await ids()).toEqual([]);
    const page = await serviceOn(db).get(
      { id, voided: true },
      { format: 'exact', attachments: false, languages: [] },
    );
    expect(page.statements).toHaveLength(1);
    expect((await erasure().count('mbox::mailto:target@example.org')).statement).toBe(1);
    await erasure().erase('mbox::mailto:target@example.org');
    expect((await rows()).statement).toBe(0);
  });

  it('leaves no trace of the key in what refers to removed statements, voided or not', async () => {
    const [id = ''] = await store(statement({ actor: gone }));
    const [voided = ''] = await store(reference(id));
    await store(reference(id), voiding(voided));
    await erasure().erase(identifier);
    const keys = await db.read((session) =>
      session.select<{ search_keys: Buffer; foreign_keys: Buffer | null }>(
        'SELECT search_keys, foreign_keys FROM statement_reference',
      ),
    );
    const hash = createHash('sha256').update(`agent ${identifier}`).digest('hex').slice(0, 32);
    expect(keys).toHaveLength(3);
    for (const { search_keys, foreign_keys } of keys) {
      expect(search_keys.toString('hex') + (foreign_keys?.toString('hex') ?? '')).not.toContain(hash);
    }
  });

  it('takes what it removes out of the status', async () => {
    await store(statement({ actor: agent('stays'), context: { platform: 'A' } }));
    const service = createStatusService(db);
    const query = {
      members: statusMembers.filter((member) => member !== 'last-statement-stored'),
      unit: 'second',
    } as const;
    const before = await service.status(query);
    await store(
      statement({ actor: gone, context: { platform: 'B' }, verb: { id: 'https://example.org/verbs/other' } }),
      statement({ actor: gone, object: { id: 'https://example.org/activities/other' } }),
    );
    await erasure().erase(identifier);
    expect(await service.status(query)).toEqual(before);
  });

  it('removes many documents in several transactions, and none of another actor', async () => {
    const documents = createDocumentService(db);
    const put = (owner: string, id: string) =>
      documents.put(
        {
          kind: 'activities/state',
          activity: 'http://x.org/a',
          agent: owner,
          registration: undefined,
          id,
        },
        { contentType: 'text/plain', content: Buffer.from('x') },
        { version: '1.0.3', conditions: {} },
      );
    const numbers = Array.from({ length: 130 }, (_, number) => String(number));
    await Promise.all(numbers.flatMap((id) => [put(identifier, id), put('mbox::mailto:a@example.org', id)]));
    const removed: number[] = [];
    const noting: Database = {
      ...boundTo(db),
      async write(work) {
        const before = (await rows()).document;
        const result = await db.write(work);
        removed.push(before - (await rows()).document);
        return result;
      },
    };
    expect((await createErasureService(noting, logger).erase(identifier)).document).toBe(130);
    expect((await rows()).document).toBe(130);
    expect(removed.filter((number) => number > 0)).toEqual([50, 50, 30]);
  });

  it('of a big actor takes many short transactions; after a crash it goes on where it stopped', async () => {
    const statements = Array.from({ length: 450 }, () => statement({ actor: gone }));
    await store(...statements);
    const [other] = await store(statement());
    let transactions = 0;
    const failing: Database = {
      ...boundTo(db),
      write: (work) => {
        transactions += 1;
        if (transactions > 5) return Promise.reject(new Error('crash'));
        return db.write(work);
      },
    };
    await expect(createErasureService(failing, logger).erase(identifier)).rejects.toThrow('crash');
    const left = (await rows()).statement;
    expect(left).toBeGreaterThan(1);
    expect(left).toBeLessThan(451);
    await createErasureService(db, logger).resume();
    expect(await ids()).toEqual([other]);
    expect(await createErasureService(db, logger).count(identifier)).toMatchObject({ statement: 0 });
  });

  it('of long statements, which have many index entries, takes fewer of them in one transaction', async () => {
    let writes = 0;
    const counting: Database = {
      dialect: db.dialect,
      batches: undefined,
      tryLockRead: (sql) => db.tryLockRead(sql),
      read: (work) => db.read(work),
      write: (work, options) => {
        writes += 1;
        return db.write(work, options);
      },
      close: () => db.close(),
    };
    const writesFor = async (response: string, voided: boolean): Promise<number> => {
      const long = Array.from({ length: 4 }, () => randomUUID());
      await store(...long.map((id) => statement({ id, actor: gone, result: { response } })));
      if (voided) await store(...long.map((id) => voiding(id)));
      writes = 0;
      expect((await createErasureService(counting, logger).erase(identifier)).statement).toBe(4);
      return writes;
    };
    for (const voided of [false, true]) {
      const short = await writesFor('x', voided);
      expect(await writesFor('x'.repeat(200_000), voided)).toBeGreaterThanOrEqual(short + 3);
    }
  });

  it('ends although the actor goes on storing under new names, and keeps what came after it had begun', async () => {
    await store(
      ...Array.from({ length: 5 }, (_, index) => statement({ actor: { ...gone, name: `${index}` } })),
    );
    const later: string[] = [];
    const most = 50;
    const joined: Database = {
      ...boundTo(db),
      async write(work) {
        const result = await db.write(work);
        expect(later.length).toBeLessThan(most);
        later.push(...(await store(statement({ actor: { ...gone, name: `later ${later.length}` } }))));
        return result;
      },
    };
    const removed = await createErasureService(joined, logger).erase(identifier);
    // The first one is stored before the erasure has begun.
    expect(removed.statement).toBeGreaterThanOrEqual(5);
    const left = await ids();
    expect(left).toEqual(later.slice(-left.length));
    expect(left.length).toBeGreaterThan(0);
    const named = await db.read((session) =>
      session.select<{ name: string }>('SELECT name FROM agent_name ORDER BY first_seen'),
    );
    expect(named.map(({ name }) => name)).toEqual(
      Array.from({ length: left.length }, (_, index) => `later ${later.length - left.length + index}`),
    );
  });

  it('of several that erase the same actor at once each ends, and the counts are right', async () => {
    await store(...Array.from({ length: 350 }, () => statement({ actor: gone })));
    const other = engine.shared ? await database.openAgain() : db;
    const counts = await Promise.all([
      erasure().erase(identifier),
      createErasureService(other, logger).erase(identifier),
    ]);
    expect(Math.max(...counts.map((each) => each.statement))).toBe(350);
    expect(await ids()).toEqual([]);
  });

  it('stops between two transactions when the server stops', async () => {
    await store(...Array.from({ length: 350 }, () => statement({ actor: gone })));
    const service = erasure();
    const erasing = service.erase(identifier);
    service.stop();
    await expect(erasing).rejects.toThrow('goes on');
    await erasure().resume();
    expect(await ids()).toEqual([]);
  });
});

function boundTo(db: Database): Database {
  return {
    dialect: db.dialect,
    batches: undefined,
    tryLockRead: (sql) => db.tryLockRead(sql),
    read: (work) => db.read(work),
    write: <T>(work: (session: WriteSession) => Promise<T>) => db.write(work),
    close: () => db.close(),
  };
}
