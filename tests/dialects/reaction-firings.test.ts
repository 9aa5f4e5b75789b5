import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReadSession, Replacements, WriteSession } from '../../lib/db/types.ts';
import { ChainRoom, countChains } from '../../lib/reactions/engine/chain-room.ts';
import type { Reacted } from '../../lib/reactions/engine/react.ts';
import {
  countInChains,
  insertFirings,
  type NewFiring,
  selectBegun,
} from '../../lib/reactions/store/firing-rows.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { batchOf, statement } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const triggers = 20;
/** How often other reactions have fired for each of them. */
const earlier = 30;

interface Noted {
  readonly sql: string;
  readonly replacements: Replacements;
  readonly rows: readonly object[];
}

/** The same session, but it notes what is selected of the firings. */
function noting<Session extends ReadSession>(session: Session, note: (query: Noted) => void): Session {
  const select: ReadSession['select'] = async (sql, replacements = {}) => {
    const rows = await session.select(sql, replacements);
    if (sql.includes('reaction_firing')) note({ sql, replacements, rows });
    return rows as never;
  };
  return Object.create(session, { select: { value: select } });
}

describe.each(engines)('many firings, on $name', (engine) => {
  let database: TestDatabase;
  let bench: ReactionBench;

  beforeEach(async () => {
    database = await engine.create();
    bench = new ReactionBench(database.db, { limits: { reactionMaxChainStatements: earlier + 5 } });
    await bench.ready();
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await bench.service.stop();
    await database.remove();
  });

  const newest = async (): Promise<number> => {
    const [row] = await database.db.read((session) =>
      session.select<{ position: number }>('SELECT MAX(position) AS position FROM statement'),
    );
    return row?.position ?? 0;
  };

  const firing = (parts: Partial<NewFiring>): NewFiring => ({
    ...{ statementId: randomUUID(), reactionId: randomUUID(), version: 1, triggerId: randomUUID() },
    ...{ triggerPosition: 1, chainStart: 1, position: 2, matched: {} },
    ...parts,
  });

  const insert = (firings: readonly NewFiring[]) =>
    database.db.write((session) => insertFirings(session, firings));

  it.each([
    ['makes statements', { verb: { id: iri('made') }, object: { id: iri('made') } }],
    [
      'voids its triggers',
      {
        verb: { id: 'http://adlnet.gov/expapi/verbs/voided' },
        object: { objectType: 'StatementRef', id: { $templatePath: ['a', 'id'] } },
      },
    ],
  ])('of others are not read by the transaction of a reaction that %s', async (_, template) => {
    const reaction = await bench.react('one', {
      identityPaths: [['actor', 'mbox']],
      conditions: { a: { path: ['object', 'id'], op: 'eq', val: iri('a') } },
      template: { actor: { $templatePath: ['a', 'actor'] }, ...template },
    });
    const ids = Array.from({ length: triggers }, () => randomUUID());
    const object = { objectType: 'Activity', id: iri('a') } as const;
    await bench.service.store(batchOf(ids.map((id) => statement({ id, object }))));
    const stored = await database.db.read((session) =>
      session.select<{ id: string; position: number }>(
        'SELECT id, position FROM statement WHERE id IN (:ids)',
        {
          ids,
        },
      ),
    );
    const position = await newest();
    await insert(
      stored.flatMap(({ id, position: chainStart }) =>
        Array.from({ length: earlier }, () =>
          firing({ triggerId: id, triggerPosition: chainStart, chainStart, position }),
        ),
      ),
    );
    const noted: Noted[] = [];
    const write = database.db.write.bind(database.db);
    vi.spyOn(database.db, 'write').mockImplementation((work) =>
      write((session: WriteSession) => work(noting(session, (query) => noted.push(query)))),
    );
    await bench.catchUp();
    expect(await bench.store.find(reaction.id)).toMatchObject({ fired: triggers, failed: 0, error: null });
    expect(noted).not.toEqual([]);
    for (const { sql, rows } of noted) {
      expect(sql).not.toMatch(/WHERE\s+trigger_id/);
      expect(rows).toEqual([]);
    }
  });

  it('of a chain that are added between counting them and storing further ones take room', async () => {
    const most = 10;
    await bench.service.store(batchOf([statement({ id: randomUUID() })]));
    const position = await newest();
    await insert(Array.from({ length: 4 }, () => firing({ position })));
    const limits = { reactionMaxChainStatements: most };
    const reacted = [{ chainStart: 1, made: [{}] }] as unknown as Reacted[];
    const counted = await countChains(database.db, reacted, limits);
    expect(counted.made).toEqual(new Map([[1, 4]]));
    await insert(Array.from({ length: 3 }, () => firing({ position: position + 1 })));
    const roomFor = (count: number): Promise<boolean> =>
      database.db.write(async (session) => {
        const ids = Array.from({ length: count }, () => randomUUID());
        const links = ids.map((id) => ({ id, chainStart: 1 }));
        const room = await ChainRoom.of(session, links, { limits, counted, granted: [] });
        return room.take(ids, { chainStart: 1, isBegun: false });
      });
    expect(await roomFor(3)).toBe(true);
    expect(await roomFor(4)).toBe(false);
  });

  it('of a chain are counted in a range of positions', async () => {
    const positions = [2, 3, 3, 4, 5];
    await insert([
      ...positions.map((position) => firing({ position })),
      firing({ chainStart: 2, position: 9 }),
    ]);
    const count = async (range: object, most = 100) => [
      ...(await database.db.read((session) => countInChains(session, [1, 2], { most, ...range }))),
    ];
    expect(await count({ through: 3 })).toEqual([[1, 3]]);
    expect((await count({ after: 3 })).toSorted()).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect((await count({ after: 2 }, 2)).toSorted()).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  it('are looked up for 250 triggers at once', async () => {
    const made = Array.from({ length: 250 }, () => firing({}));
    await insert(made.filter((_, index) => index % 2 === 0));
    const other = made.map((each) => ({ ...each, version: 2 }));
    const begun = await database.db.read((session) => selectBegun(session, [...made, ...other]));
    expect(begun.map(({ triggerId }) => triggerId).toSorted()).toEqual(
      made.flatMap(({ triggerId }, index) => (index % 2 === 0 ? triggerId : [])).toSorted(),
    );
    expect(new Set(begun.map(({ version }) => version))).toEqual(new Set([1]));
  });
});
