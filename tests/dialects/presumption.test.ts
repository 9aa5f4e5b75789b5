import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, WriteSession } from '../../lib/db/types.ts';
import { ConflictError } from '../../lib/errors.ts';
import { PositionClock } from '../../lib/statements/position.ts';
import { prepareBatch } from '../../lib/statements/prepare.ts';
import { SearchIndex } from '../../lib/statements/search-index.ts';
import { SightingRecorder } from '../../lib/statements/sightings.ts';
import { Succession } from '../../lib/statements/succession.ts';
import type { Position, StatementService } from '../../lib/statements/types.ts';
import { unlimitedWrites } from '../../lib/statements/write-limits.ts';
import { type WriteContext, writeRequests } from '../../lib/statements/writer.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import {
  batchOf,
  everything,
  exact,
  foundIds,
  read,
  serviceOn,
  statement,
  voiding,
} from '../support/statements.ts';

/** The same database, but notes when a transaction looks, is answered, and inserts statements. */
function noting(db: Database, notes: string[]): Database {
  const noted = (session: WriteSession): WriteSession => ({
    ...session,
    async select<Row extends object>(...query: Parameters<WriteSession['select']>) {
      // What is done now and then reads something else.
      if (!query[0].includes('newest')) return session.select<Row>(...query);
      notes.push('look');
      const rows = await session.select<Row>(...query);
      notes.push('answer');
      return rows;
    },
    insert: (table, ...rest) => {
      if (table.name === 'statement') notes.push('insert');
      return session.insert(table, ...rest);
    },
  });
  return {
    dialect: db.dialect,
    read: (work) => db.read(work),
    write: (work, options) => db.write((session) => work(noted(session)), options),
    close: () => db.close(),
  };
}

const patient = ['look', 'answer', 'insert'];
const ahead = ['look', 'insert', 'answer'];

describe.each(engines)('a transaction that stores statements on $name', (engine) => {
  it('waits for its first look only where somebody else may have written, or nobody counts', async () => {
    const database = await engine.create();
    const notes: string[] = [];
    const service = serviceOn(noting(database.db, notes), { elapsed: () => 0 });
    for (let time = 0; time < 3; time += 1) await service.store(batchOf([statement()]));
    const { counter } = database.db.dialect;
    expect(notes).toEqual([patient, ...Array(2).fill(counter === undefined ? patient : ahead)].flat());
    await database.remove();
  });
});

describe.each(engines.filter(({ dialect }) => dialect === 'postgres'))(
  'a wrong presumption on $name',
  (engine) => {
    let database: TestDatabase;
    let service: StatementService;
    /** Microseconds on the clock of the service, and milliseconds of its patience. */
    let now: number;
    let elapsed: number;
    const notes: string[] = [];

    beforeEach(async () => {
      database = await engine.create();
      now = Date.now() * 1000;
      elapsed = 0;
      service = serviceOn(noting(database.db, notes), { now: () => now, elapsed: () => elapsed });
      await beLast();
    });

    afterEach(() => database.remove());

    /** Has the service write, so that it presumes in the next transaction that nobody else has. */
    const beLast = async (): Promise<void> => {
      elapsed += 2000;
      await service.store(batchOf([statement()]));
      notes.length = 0;
    };

    it('is noticed when another process has stored something, and positions rise', async () => {
      const other = serviceOn(await database.openAgain(), { now: () => now + 50_000 });
      const [first = ''] = await other.store(batchOf([statement()]));
      now += 100;
      const [second = ''] = await service.store(batchOf([statement()]));
      expect(notes).toEqual([ahead, patient].flat());
      expect((await foundIds(service)).slice(0, 2)).toEqual([second, first]);
    });

    it('is noticed when another process has said up to when the store is complete', async () => {
      const other = serviceOn(await database.openAgain(), { now: () => now });
      const promised = await other.consistentThrough();
      now += 1;
      await service.store(batchOf([statement()]));
      expect(notes).toEqual([ahead, patient].flat());
      const page = await service.query({ ...everything, limit: 1 }, exact);
      expect(page.statements[0]?.position).toBeGreaterThan(promised);
    });

    it('is noticed when a statement is there already', async () => {
      const sent = statement({ id: randomUUID() });
      await service.store(batchOf([sent]));
      await beLast();
      await service.store(batchOf([statement(), sent]));
      expect(notes.filter((note) => note === 'insert')).toHaveLength(2);
      expect(await foundIds(service)).toHaveLength(4);
      await beLast();
      const changed = { ...sent, verb: { id: 'https://example.org/verbs/other' } };
      await expect(service.store(batchOf([changed]))).rejects.toThrow(ConflictError);
      expect(notes).toContain('insert');
    });

    it('is noticed when a statement is referred to already', async () => {
      const id = randomUUID();
      await service.store(batchOf([voiding(id)]));
      await beLast();
      await service.store(batchOf([statement({ id })]));
      expect(notes.slice(0, 2)).toEqual(['look', 'insert']);
      await expect(read(service, id, true)).resolves.toMatchObject({ id });
    });

    it('leaves nothing behind of what is larger than one message', async () => {
      await serviceOn(await database.openAgain()).store(batchOf([statement()]));
      await service.store(batchOf(Array.from({ length: 600 }, () => statement())));
      expect(notes).toEqual([ahead, patient].flat());
      expect(await foundIds(service)).toHaveLength(602);
      const [row] = await database.db.read((session) =>
        session.select<{ orphans: number }>(
          'SELECT COUNT(*) AS orphans FROM statement_key WHERE position NOT IN (SELECT position FROM statement)',
        ),
      );
      expect(row?.orphans).toBe(0);
    });

    describe('by a group of requests', () => {
      const write = async (context: Partial<WriteContext>): Promise<Position> => {
        const request = { statements: await prepareBatch(batchOf([statement()])), contents: [] };
        await noting(database.db, notes).write(
          (session) => writeRequests(session, [request], { ...whole, ...context }),
          { readsFirst: true },
        );
        const page = await service.query({ ...everything, limit: 1 }, exact);
        return page.statements[0]?.position ?? 0;
      };
      let whole: WriteContext;

      beforeEach(async () => {
        whole = {
          clock: new PositionClock(() => now),
          index: new SearchIndex(),
          sightings: new SightingRecorder(),
          succession: new Succession(() => elapsed),
          limits: unlimitedWrites,
          inheritedEntries: 1000,
          onLocked: () => {},
        };
        await write({});
        notes.length = 0;
      });

      it('is not made by one that is to be patient', async () => {
        await write({});
        await write({ patient: true });
        expect(notes).toEqual([ahead, patient].flat());
      });

      it('makes no promise that is later than its statements, though the clock steps back', async () => {
        const promised: Position[] = [];
        const onLocked = (position: Position) => promised.push(position);
        const start = now + 5_000_000;
        now = start;
        const clock = new PositionClock(() => {
          now -= 1_000_000;
          return now + 1_000_000;
        });
        const position = await write({ clock, onLocked });
        expect(notes).toEqual(ahead);
        expect(promised).toEqual([start - 1]);
        expect(position).toBeGreaterThan(start - 1);
      });
    });
  },
);
