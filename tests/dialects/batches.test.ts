import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEpoch } from '../../lib/db/cache-epoch.ts';
import { CommitOutcomeUnknownError } from '../../lib/db/commit-outcome.ts';
import type { Batches, Database, Replacements } from '../../lib/db/types.ts';
import { createDocumentService } from '../../lib/documents/service.ts';
import { ConflictError } from '../../lib/errors.ts';
import { storedText } from '../../lib/position.ts';
import { statementAttachmentTable } from '../../lib/statements/tables.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import { createStatusService } from '../../lib/status/service.ts';
import { sharedEngines, type TestDatabase } from '../support/engines.ts';
import {
  agent,
  batchOf,
  everything,
  exact,
  foundIds,
  read,
  reference,
  serviceOn,
  statement,
  voiding,
} from '../support/statements.ts';

/**
 * The same database, but notes each batch and each other transaction that looks first; not those that add up counts from time to
 * time. `beforeBatch` is awaited when a batch is made up.
 */
function noting(db: Database, notes: string[], beforeBatch: () => Promise<unknown>): Database {
  const { batches } = db;
  const noted: Batches | undefined = batches && {
    ...batches,
    async send(fill) {
      notes.push('batch');
      return batches.send(async (session) => {
        const look = await fill(session);
        await beforeBatch();
        return look;
      });
    },
  };
  return {
    dialect: db.dialect,
    batches: noted,
    read: (work) => db.read(work),
    tryLockRead: (sql) => db.tryLockRead(sql),
    write(work, options) {
      if (options?.readsFirst) notes.push('transaction');
      return db.write(work, options);
    },
    close: () => db.close(),
  };
}

const activity = 'https://example.org/activities/defined';
const defined = (name: string) =>
  statement({ object: { objectType: 'Activity', id: activity, definition: { name: { en: name } } } });

describe.each(sharedEngines)('a batch on $name', (engine) => {
  let database: TestDatabase;
  let service: StatementService;
  let elsewhere: StatementService;
  let beforeBatch: () => Promise<unknown>;
  const notes: string[] = [];

  beforeEach(async () => {
    database = await engine.create();
    beforeBatch = async () => {};
    notes.length = 0;
    service = serviceOn(noting(database.db, notes, () => beforeBatch()));
    elsewhere = serviceOn(await database.openAgain());
  });

  afterEach(() => database.remove());

  it('stores a statement once whose id the check of a transaction has missed', async () => {
    const { db } = database;
    let missed = 0;
    const missing: Database['write'] = (work, options) =>
      db.write(
        (session) =>
          work({
            ...session,
            async select<Row extends object>(sql: string, replacements?: Replacements): Promise<Row[]> {
              const rows = await session.select<Row>(sql, replacements);
              if (missed === 2 || !rows.some((row) => 'taken' in row)) return rows;
              missed += 1;
              return rows.map((row) => ({ ...row, taken: 0 }));
            },
          }),
        options,
      );
    const id = randomUUID();
    await service.store(batchOf([statement({ id, result: { success: true } })]));
    const again = serviceOn({ ...noting(db, notes, async () => {}), write: missing });
    expect(await again.store(batchOf([statement({ id, result: { success: true } })]))).toEqual([id]);
    expect(missed).toBe(2);
    expect(await foundIds(service)).toEqual([id]);
  });

  it('stores statements that are new, refer to none and are not referred to', async () => {
    await service.store(batchOf([statement(), statement({ id: randomUUID() })]));
    await service.store(batchOf([defined('A'), statement()]));
    expect(notes).toEqual(['batch', 'batch']);
    expect(await foundIds(service)).toHaveLength(4);
  });

  it('gives them the moment of their position', async () => {
    const timestamp = '2020-02-29T23:59:59.5Z';
    const ids = await service.store(batchOf([statement(), statement({ timestamp }), statement()]));
    const page = await service.query({ ...everything, ascending: true }, exact);
    const told = page.statements.map(({ position, text }) => {
      const { id, stored, timestamp: time } = JSON.parse(text);
      return [id, stored === storedText(position), time === stored || time];
    });
    expect(told).toEqual([
      [ids[0], true, true],
      [ids[1], true, timestamp],
      [ids[2], true, true],
    ]);
    const rows = await database.db.read((session) =>
      session.select<{ timestamp: string }>('SELECT timestamp FROM statement ORDER BY position'),
    );
    expect(rows.map((row) => row.timestamp)).toEqual([
      storedText(page.statements[0]?.position ?? 0),
      timestamp,
      storedText(page.statements[2]?.position ?? 0),
    ]);
  });

  it('stores documents that are put whatever is stored, and is not tried where that counts', async () => {
    const documents = createDocumentService(noting(database.db, notes, async () => {}));
    const address = {
      kind: 'activities/state',
      activity,
      agent: 'mbox::mailto:ann@example.org',
      registration: undefined,
      id: 'mark',
    } as const;
    const put = (text: string, conditions = {}) =>
      documents.put(
        address,
        { contentType: 'text/plain', content: Buffer.from(text) },
        { version: '1.0.3', conditions },
      );
    await Promise.all(['first', 'second'].map((text) => put(text)));
    expect(notes).toEqual(['batch']);
    expect(`${(await documents.get(address))?.content}`).toBe('second');
    await put('third', { ifMatch: '*' });
    expect(notes).toEqual(['batch', 'transaction']);
    await put('fourth');
    expect(notes).toEqual(['batch', 'transaction', 'batch']);
    expect(`${(await documents.get(address))?.content}`).toBe('fourth');
  });

  it('is not tried where a statement refers to another', async () => {
    await service.store(batchOf([reference(randomUUID())]));
    expect(notes).toEqual(['transaction']);
  });

  it('is not tried where it would be too large for the engine', async () => {
    const response = 'x'.repeat(9 * 1024 * 1024);
    const ids = await service.store(batchOf([statement({ result: { response } })]));
    expect(notes).toEqual([engine.family === 'postgres' ? 'batch' : 'transaction']);
    expect(await foundIds(service)).toEqual(ids);
  });

  it('is not written when a statement is there already, which is stored once, or refused when it differs', async () => {
    const sent = statement({ id: randomUUID() });
    beforeBatch = () => elsewhere.store(batchOf([sent]));
    await service.store(batchOf([statement(), sent]));
    expect(notes).toEqual(['batch', 'transaction']);
    expect(await foundIds(service)).toHaveLength(2);
    beforeBatch = async () => {};
    const changed = { ...sent, verb: { id: 'https://example.org/verbs/other' } };
    await expect(service.store(batchOf([statement(), changed]))).rejects.toThrow(ConflictError);
    expect(await foundIds(service)).toHaveLength(2);
  });

  it('is not written when another process has voided a statement of it before', async () => {
    const id = randomUUID();
    beforeBatch = () => elsewhere.store(batchOf([voiding(id)]));
    await service.store(batchOf([statement({ id })]));
    // What follows hands keys on.
    expect(notes.slice(0, 2)).toEqual(['batch', 'transaction']);
    await expect(read(service, id, true)).resolves.toMatchObject({ id });
  });

  it('merges definitions with what another process has written meanwhile', async () => {
    const english = { name: { en: 'Defined' } };
    const german = { name: { de: 'Definiert' } };
    const about = (definition: object) =>
      statement({ object: { objectType: 'Activity', id: activity, definition } });
    const definition = async () => {
      const [row] = await database.db.read((session) =>
        session.select<{ definition: string }>('SELECT definition FROM activity WHERE id = :activity', {
          activity,
        }),
      );
      return JSON.parse(row?.definition ?? '');
    };
    beforeBatch = () => elsewhere.store(batchOf([about(german)]));
    await service.store(batchOf([about(english)]));
    expect(notes).toEqual(['batch', 'transaction']);
    expect(await definition()).toEqual({ name: { ...german.name, ...english.name } });
    const further = { description: { en: 'Longer' } };
    beforeBatch = () => elsewhere.store(batchOf([about(further)]));
    await service.store(batchOf([about({ name: { fr: 'Défini' } })]));
    expect(notes).toEqual(['batch', 'transaction', 'batch', 'transaction']);
    expect(await definition()).toEqual({
      ...further,
      name: { ...german.name, ...english.name, fr: 'Défini' },
    });
  });

  it('takes positions after those of all processes, whose clocks may differ', async () => {
    const ahead = serviceOn(await database.openAgain(), { now: () => (Date.now() + 60_000) * 1000 });
    const [first = ''] = await ahead.store(batchOf([statement()]));
    const [second = ''] = await service.store(batchOf([statement()]));
    expect(notes).toEqual(['batch']);
    expect(await foundIds(service)).toEqual([second, first]);
  });

  it('takes positions after the watermark that any process has given out', async () => {
    const watermark = await elsewhere.consistentThrough();
    await service.store(batchOf([statement()]));
    const page = await service.query(everything, exact);
    expect(page.statements[0]?.position).toBeGreaterThan(watermark);
    expect(notes).toEqual(['batch']);
  });

  it('writes nothing of many statements when one of them is there already', async () => {
    const sent = statement({ id: randomUUID() });
    await elsewhere.store(batchOf([sent]));
    await service.store(batchOf([...Array.from({ length: 600 }, () => statement()), sent]));
    expect(notes).toEqual(['batch', 'transaction']);
    expect(await foundIds(service)).toHaveLength(601);
    const [row] = await database.db.read((session) =>
      session.select<{ orphans: number }>(
        'SELECT COUNT(*) AS orphans FROM statement_key WHERE position NOT IN (SELECT position FROM statement)',
      ),
    );
    expect(row?.orphans).toBe(0);
  });

  it('leaves nothing behind when one of its rows is refused, nor holds the connection', async () => {
    const table = { name: 'agent', columns: { agent_key: 'hex', identifier: 'text' } } as const;
    const key = 'ab'.repeat(16);
    const broken = database.db.batches?.send(async (session) => {
      await session.insert(table, [[key, 'somebody']]);
      await session.insert(statementAttachmentTable, [[0, null, 'text/plain']]);
      return { sql: 'SELECT 1 AS one', fits: 'true', first: '1', replacements: () => ({}) };
    });
    await expect(broken).rejects.toThrow(/null value|cannot be null|NOT NULL/);
    const rows = await database.db.read((session) => session.select('SELECT 1 AS one FROM agent'));
    expect(rows).toEqual([]);
    await service.store(batchOf([statement()]));
    expect(notes).toEqual(['batch']);
  });

  it('does not rely on what was cached when another process drops that while the batch is made up', async () => {
    const { batches } = database.db;
    const identifiers = async () => {
      const rows = await database.db.read((session) =>
        session.select<{ identifier: string }>('SELECT identifier FROM agent ORDER BY identifier'),
      );
      return rows.map(({ identifier }) => identifier);
    };
    let stored: Promise<unknown> | undefined;
    let second: Promise<unknown> | undefined;
    const slow: Database = {
      ...noting(database.db, notes, beforeBatch),
      batches: batches && {
        ...batches,
        send(fill) {
          // The second group is made up while the first is on its way.
          if (stored !== undefined) second ??= here.store(batchOf([defined('Later')]));
          return batches.send(fill);
        },
      },
      async read(work) {
        await stored;
        return database.db.read(work);
      },
    };
    const here = serviceOn(slow);
    await here.store(batchOf([statement()]));
    const before = await identifiers();
    await database.db.write(async (session) => {
      await session.execute('DELETE FROM agent');
      startEpoch(session, 'agents');
    });
    let end = (): void => {};
    stored = new Promise<void>((resolve) => {
      end = resolve;
    });
    await here.store(batchOf([statement({ actor: agent('another') })]));
    end();
    await second;
    expect(await identifiers()).toEqual([...before, 'mbox::mailto:another@example.org'].toSorted());
  });

  it.each(['before', 'after'])(
    'whose outcome nobody knows is stored once: the connection is lost %s it',
    async (moment) => {
      const { batches } = database.db;
      const lost = (): never => {
        throw new CommitOutcomeUnknownError({ cause: new Error('lost') });
      };
      const losing: Batches | undefined = batches && {
        ...batches,
        async send(fill) {
          if (moment === 'before') lost();
          await batches.send(fill);
          return lost();
        },
      };
      const ids = await serviceOn({ ...noting(database.db, notes, beforeBatch), batches: losing }).store(
        batchOf([statement(), statement({ id: randomUUID() })]),
      );
      expect((await foundIds(service)).toReversed()).toEqual(ids);
      const { 'statement-count': count } = await createStatusService(database.db).status({
        members: ['statement-count'],
        unit: 'day',
      });
      expect(count).toBe(2);
    },
  );

  it('tells what fails while it is made up, and sends nothing', async () => {
    const failing = database.db.batches?.send(() => Promise.reject(new Error('not made up')));
    await expect(failing).rejects.toThrow('not made up');
  });
});
