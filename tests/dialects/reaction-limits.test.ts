import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReadSession } from '../../lib/db/types.ts';
import type { Json } from '../../lib/json/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { selectReplay, upsertReplay } from '../../lib/reactions/replay/replay-store.ts';
import { countInChains, insertFirings, type NewFiring } from '../../lib/reactions/store/firing-rows.ts';
import type { StoredReaction } from '../../lib/reactions/store/reaction-rows.ts';
import { storedProblems } from '../../lib/reactions/store/replay-problems.ts';
import type { Condition, MatchLimits, Ruleset } from '../../lib/reactions/types.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { agent, batchOf, statement } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const extension = iri('extension');
const at = (activity: string, parts: Partial<Statement> = {}): Statement =>
  statement({ id: randomUUID(), object: { objectType: 'Activity', id: iri(activity) }, ...parts });
const isAt = (activity: string) => ({ path: ['object', 'id'], op: 'eq', val: iri(activity) }) as const;
const template = (parts: Record<string, Json> = {}): Json => ({
  actor: { mbox: 'mailto:result@example.org' },
  verb: { id: iri('made') },
  object: { id: iri('result') },
  ...parts,
});
const pair = (parts: Partial<Ruleset> = {}): Ruleset => ({
  identityPaths: [['actor', 'mbox']],
  conditions: { a: isAt('a'), b: isAt('b') },
  template: template(),
  ...parts,
});

/** The session, with a call for each query. */
function countingQueries<Session extends ReadSession>(session: Session, count: () => void): Session {
  const select: ReadSession['select'] = (...query) => {
    count();
    return session.select(...query);
  };
  return Object.create(session, { select: { value: select } });
}

describe.each(engines)('what one trigger may cause on $name', (engine) => {
  let database: TestDatabase;
  let bench: ReactionBench;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await bench.service.stop();
    await database.remove();
  });

  async function open(options?: ConstructorParameters<typeof ReactionBench>[1]): Promise<void> {
    bench = new ReactionBench(database.db, options);
    await bench.ready();
  }

  /** A reaction beside the one that is tested, which goes on. */
  const other = () => bench.react('other', { ...pair(), conditions: { b: isAt('b') } });

  async function expectStopped(id: string, setting: string): Promise<void> {
    expect(await bench.store.find(id)).toMatchObject({
      active: false,
      error: { type: 'ReactionLimitError', message: expect.stringContaining(setting) },
    });
  }

  it('is limited in statements that are looked at, exactly; the others go on', async () => {
    await open({ limits: { reactionMaxCandidates: 60 } });
    const broad = await bench.react('broad', pair({ identityPaths: [] }));
    const narrow = await other();
    await bench.post(...Array.from({ length: 60 }, () => at('a')));
    await bench.post(at('b'));
    expect(await bench.firings(broad)).toHaveLength(60);
    await bench.post(at('a', { actor: agent('bob') }));
    await bench.post(at('b', { actor: agent('bob') }));
    await expectStopped(broad.id, 'more than 60 statements must be looked at');
    await expectStopped(broad.id, 'lrs.reactionMaxCandidates');
    expect(await bench.firings(narrow)).toHaveLength(2);
  });

  it('is limited in searches of the store', async () => {
    await open({ limits: { reactionMaxCandidates: 60 } });
    const registrations = Array.from({ length: 11 }, () => randomUUID());
    const isOf = (condition: string) =>
      ({
        path: ['context', 'registration'],
        op: 'eq',
        ref: { condition, path: ['context', 'registration'] },
      }) as const;
    // For each statement that `b` finds, `c` is looked up once more.
    const chain = await bench.react(
      'chain',
      pair({
        identityPaths: [],
        conditions: { a: isAt('a'), b: isAt('b'), c: { and: [isAt('c'), isOf('b')] } },
      }),
    );
    await bench.post(...registrations.map((each) => at('b', { context: { registration: each } })), at('a'));
    await expectStopped(chain.id, 'more than 10 searches are needed');
  });

  it('is limited where nothing narrows statements down, and fires below the limit', async () => {
    await open({ limits: { reactionMaxCandidates: 60 } });
    const isLong = { path: ['result', 'response'], op: 'like', val: 'x%' } as const;
    const scan = await bench.react(
      'scan',
      pair({ identityPaths: [], conditions: { a: isLong, b: isAt('b') } }),
    );
    await bench.post(at('c', { result: { response: 'xy' } }), at('b'));
    expect(await bench.firings(scan)).toHaveLength(1);
    await bench.post(...Array.from({ length: 60 }, () => at('c')), at('b'));
    await expectStopped(scan.id, 'condition "a"');
  });

  const someone = (index: number) => agent(`someone-${index}`);
  const account = { account: { homePage: iri('home'), name: 'ann' } };
  const registration = randomUUID();
  const first = randomUUID();
  const refersTo = (path: Json, to: Json) =>
    ({ path, op: 'eq', ref: { condition: 'a', path: to } }) as unknown as Condition;
  it.each<[string, Partial<Ruleset>, Partial<Statement>, Partial<Statement>]>([
    ['the mailbox of the identity', {}, { actor: agent('ann') }, { actor: agent('ann') }],
    [
      'the account of the identity',
      {
        identityPaths: [
          ['actor', 'account', 'homePage'],
          ['actor', 'account', 'name'],
        ],
      },
      { actor: account },
      { actor: account },
    ],
    [
      'the registration of the identity',
      { identityPaths: [['context', 'registration']] },
      { context: { registration } },
      { context: { registration } },
    ],
    [
      'a parent that a reference names',
      {
        identityPaths: [],
        conditions: {
          a: { and: [isAt('b'), refersTo(['id'], ['id'])] },
          b: {
            and: [isAt('a'), refersTo(['context', 'contextActivities', 'parent', 0, 'id'], ['object', 'id'])],
          },
        },
      },
      { context: { contextActivities: { parent: [{ id: iri('b') }] } } },
      {},
    ],
    [
      'the id that a StatementRef names',
      {
        identityPaths: [],
        conditions: {
          a: { path: ['verb', 'id'], op: 'eq', val: iri('refers') },
          b: refersTo(['id'], ['object', 'id']),
        },
      },
      { id: first },
      { verb: { id: iri('refers') }, object: { objectType: 'StatementRef', id: first } },
    ],
    [
      'one of several Verbs',
      {
        identityPaths: [],
        conditions: {
          a: {
            or: [
              { path: ['verb', 'id'], op: 'eq', val: iri('x') },
              { path: ['verb', 'id'], op: 'eq', val: iri('y') },
            ],
          },
          b: isAt('b'),
        },
      },
      { verb: { id: iri('y') } },
      {},
    ],
  ])('is found by %s, without a look at what others have done', async (_, ruleset, wanted, trigger) => {
    await open({ limits: { reactionMaxCandidates: 60 } });
    const reaction = await bench.react('narrow', pair(ruleset));
    const others = Array.from({ length: 70 }, (__, index) => at('a', { actor: someone(index) }));
    await bench.post(...others.slice(0, 35), at('a', wanted), ...others.slice(35));
    await bench.post(at('b', trigger));
    expect(await bench.store.find(reaction.id)).toMatchObject({ error: null, fired: 1 });
  });

  it('is limited in bytes that are read', async () => {
    await open({ limits: { reactionMaxCandidateBytes: 200_000 } });
    const heavy = await bench.react('heavy', pair());
    const narrow = await other();
    for (let count = 0; count < 3; count++) {
      await bench.service.store(batchOf([at('a', { result: { response: 'x'.repeat(90_000) } })]));
    }
    await bench.post(at('b'));
    await expectStopped(heavy.id, 'lrs.reactionMaxCandidateBytes');
    expect(await bench.firings(narrow)).toHaveLength(1);
  });

  it('is found where long statements take several pages', async () => {
    await open();
    const reaction = await bench.react('pages', pair());
    for (let count = 0; count < 15; count++) {
      await bench.service.store(batchOf([at('a', { result: { response: 'x'.repeat(90_000) } }), at('a')]));
    }
    await bench.post(at('b'));
    expect(await bench.firings(reaction)).toHaveLength(30);
  });

  /** Has a reaction look at everything that is stored once more. */
  async function replay(reaction: StoredReaction, at = bench): Promise<void> {
    const kind = `replay ${randomUUID()}`.slice(0, 40);
    at.feed.register(kind, { handle: (items, turn) => at.engine.replay(reaction, items, turn) });
    await at.feed.ensureConsumer({ name: kind, kind, cursor: 0 });
    while (!(await at.feed.runUntil(Date.now() + 60_000)));
  }

  it('is limited in bytes that are made: all statements of a trigger are made, or none', async () => {
    await open({ limits: { reactionMaxCandidateBytes: 200_000 } });
    const large = template({ result: { response: 'x'.repeat(30_000) } });
    const heavy = await bench.react('heavy', pair({ template: large }));
    const narrow = await other();
    await bench.post(...Array.from({ length: 10 }, () => at('a')), at('b'));
    await expectStopped(heavy.id, 'lrs.reactionMaxCandidateBytes');
    expect(await bench.firings(heavy)).toEqual([]);
    expect(await bench.store.find(heavy.id)).toMatchObject({ failed: 10 });
    expect(await bench.firings(narrow)).toHaveLength(1);
    const later = new ReactionBench(engine.shared ? await database.openAgain() : database.db);
    await later.store.update(heavy.id, { active: true });
    for (const _ of [1, 2]) {
      await replay(heavy, later);
      expect(await bench.firings(heavy)).toHaveLength(10);
    }
    await later.service.stop();
  });

  /** Stores statements with as many bytes, and others whose registrations are their ids. */
  async function storeTaken(activity: string, bytes: readonly number[]): Promise<void> {
    for (const length of bytes) {
      const registration = randomUUID();
      const taken = { ...at('taken', { result: { response: 'x'.repeat(length) } }), id: registration };
      await bench.service.store(batchOf([taken, at(activity, { context: { registration } })]));
    }
  }

  const withGivenIds = (activity: string, parts: Record<string, Json> = {}) =>
    pair({
      conditions: { a: isAt(activity), b: isAt('b') },
      template: template({ id: { $templatePath: ['a', 'context', 'registration'] }, ...parts }),
    });

  it('is limited in bytes of stored statements that have the ids of those that are made', async () => {
    await open({ limits: { reactionMaxCandidateBytes: 200_000 } });
    const heavy = await bench.react('heavy', withGivenIds('a'));
    const light = await bench.react('light', withGivenIds('c'));
    await storeTaken('a', Array(4).fill(60_000));
    await storeTaken('c', Array(3).fill(60_000));
    const stored = vi.spyOn(bench.service, 'storeWithin');
    await bench.post(at('b'));
    await expectStopped(heavy.id, 'Stored statements have the ids');
    expect(await bench.store.find(heavy.id)).toMatchObject({ fired: 0, failed: 4 });
    expect(await bench.store.find(light.id)).toMatchObject({ fired: 0, failed: 3, error: null });
    expect(stored.mock.calls.flatMap(([, batches]) => batches)).toHaveLength(3);
  });

  it('is limited in such bytes also where the statements are stored while the trigger is worked on', async () => {
    await open({ limits: { reactionMaxCandidateBytes: 200_000 } });
    const heavy = await bench.react('heavy', withGivenIds('a'));
    const ids = Array.from({ length: 4 }, () => randomUUID());
    for (const registration of ids) await bench.post(at('a', { context: { registration } }));
    const sizes = bench.service.sizesOf.bind(bench.service);
    vi.spyOn(bench.service, 'sizesOf').mockImplementationOnce(async (all) => {
      const found = await sizes(all);
      for (const id of ids)
        await bench.service.store(
          batchOf([{ ...at('taken', { result: { response: 'x'.repeat(60_000) } }), id }]),
        );
      return found;
    });
    await bench.post(at('b'));
    await expectStopped(heavy.id, 'Stored statements have the ids');
  });

  it('is limited in such bytes of all reactions together', async () => {
    await open({ limits: { reactionMaxCandidateBytes: 200_000 } });
    const names = ['a', 'c', 'd'];
    const reactions = [];
    for (const name of names) reactions.push(await bench.react(name, withGivenIds(name)));
    for (const name of names) await storeTaken(name, [150_000]);
    await bench.post(at('b'));
    const states = await Promise.all(reactions.map(({ id }) => bench.store.find(id)));
    expect(states.filter((state) => state?.error === null)).toHaveLength(2);
    expect(states.flatMap((state) => state?.error?.message ?? [])).toEqual([
      expect.stringContaining('more than 400000 bytes together'),
    ]);
  });

  it('is not limited in bytes of statements that the same reaction has made before with given ids', async () => {
    await open({ limits: { reactionMaxCandidateBytes: 200_000 } });
    const large = withGivenIds('a', { result: { response: 'x'.repeat(32_000) } });
    const reaction = await bench.react('large', large);
    const registrations = Array.from({ length: 6 }, () => randomUUID());
    await bench.post(...registrations.map((registration) => at('a', { context: { registration } })), at('b'));
    await replay(reaction);
    expect(await bench.firings(reaction)).toHaveLength(6);
    expect(await bench.store.find(reaction.id)).toMatchObject({ active: true, fired: 6, failed: 0 });
  });

  it('is limited in matches', async () => {
    await open({ limits: { reactionMaxMatches: 20 } });
    const many = await bench.react('many', pair());
    await bench.post(...Array.from({ length: 21 }, () => at('a')), at('b'));
    await expectStopped(many.id, 'lrs.reactionMaxMatches');
    expect(await bench.firings(many)).toEqual([]);
  });

  it('is limited in combinations that are tried', async () => {
    await open({ limits: { reactionMaxCandidates: 200 } });
    const exceeds = (condition: string) =>
      ({
        path: ['result', 'response'],
        op: 'gt',
        ref: { condition, path: ['result', 'response'] },
      }) as const;
    // Whether it holds is known only when both others are chosen.
    const never = { and: [isAt('c'), { or: [exceeds('a'), exceeds('b')] }] };
    const wide = await bench.react('wide', pair({ conditions: { a: isAt('a'), b: isAt('b'), c: never } }));
    const answered = (activity: string, response: string) => at(activity, { result: { response } });
    await bench.post(...Array.from({ length: 70 }, () => answered('a', 'z')));
    await bench.post(...Array.from({ length: 70 }, () => answered('b', 'z')), answered('c', 'y'));
    await expectStopped(wide.id, 'combinations');
  });

  it('is limited in the time in which conditions are evaluated', async () => {
    await open({ limits: { reactionMaxMilliseconds: 10 } });
    const slow = { path: ['result', 'response'], op: 'like', val: `%${'a_'.repeat(100)}b%` } as const;
    const conditions = { a: { and: [isAt('a'), { or: Array(10).fill(slow) }] }, b: isAt('b') };
    const costly = await bench.react('costly', pair({ conditions }));
    const long = () => at('a', { result: { response: 'a'.repeat(60_000) } });
    for (let count = 0; count < 20; count++) await bench.service.store(batchOf([long()]));
    await bench.post(at('b'));
    await expectStopped(costly.id, 'lrs.reactionMaxMilliseconds');
  });

  it('is limited in the steps of one evaluation, which nothing interrupts', async () => {
    await open();
    const slow = { path: ['result', 'response'], op: 'like', val: `%${'a_'.repeat(100)}b%` } as const;
    const costly = await bench.react('costly', {
      ...pair(),
      conditions: { b: { or: Array(200).fill(slow) } },
    });
    const narrow = await other();
    await bench.post(at('b', { result: { response: 'a'.repeat(60_000) } }));
    await expectStopped(costly.id, 'too many steps');
    expect((await bench.store.find(costly.id))?.error).toMatchObject({ reason: 'evaluation' });
    expect(await bench.firings(narrow)).toHaveLength(1);
  });

  it('is limited in the size of a statement that is made, also where templates embed what others have made', async () => {
    await open({ limits: { reactionStatementMaxBytes: 20_000 } });
    const embed = (level: number): Json => {
      const whole = { $templatePath: ['a'] };
      const extensions = Object.fromEntries(
        Array.from({ length: 6 }, (_, place) => [iri(String(place)), whole]),
      );
      return template({ object: { id: iri(`level-${level + 1}`) }, result: { extensions } });
    };
    const chain = [];
    for (let level = 0; level < 5; level++) {
      const conditions = { a: isAt(`level-${level}`) };
      chain.push(await bench.react(`level ${level}`, pair({ conditions, template: embed(level) })));
    }
    // Each level multiplies by six.
    await bench.post(at('level-0', { actor: { mbox: 'mailto:result@example.org' } }));
    const states = await Promise.all(chain.map(({ id }) => bench.store.find(id)));
    expect(states.map((state) => state?.error?.type)).toContain('ReactionLimitError');
    expect(states.at(-1)?.fired).toBe(0);
  });

  it('is limited in the number of reactions that trigger each other in a row', async () => {
    await open({ limits: { reactionMaxChain: 3 } });
    const chain = [];
    for (let level = 0; level < 5; level++) {
      const made = template({ object: { id: iri(`level-${level + 1}`) } });
      chain.push(
        await bench.react(
          `level ${level}`,
          pair({ identityPaths: [], conditions: { a: isAt(`level-${level}`) }, template: made }),
        ),
      );
    }
    await bench.post(at('level-0'));
    const states = await Promise.all(chain.map(({ id }) => bench.store.find(id)));
    expect(states.map((state) => state?.fired)).toEqual([1, 1, 1, 0, 0]);
    await expectStopped(chain[3]?.id ?? '', 'lrs.reactionMaxChain');
  });

  describe('in the whole chain that it begins', () => {
    const isMade = { path: ['verb', 'id'], op: 'eq', val: iri('made') } as const;
    const begin = () => at('a', { verb: { id: iri('made') } });
    /** Reactions that are triggered by what each other makes: without a limit, six make 1,956 statements of one. */
    const answering = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          bench.react(`answer ${index}`, pair({ identityPaths: [], conditions: { a: isMade } })),
        ),
      );
    const countFirings = async (): Promise<number> => {
      const [row] = await database.db.read((session) =>
        session.select<{ count: number }>('SELECT COUNT(*) AS count FROM reaction_firing'),
      );
      return Number(row?.count);
    };

    it.each([1, 7, 200])('is limited exactly, with batches of %i', async (batch) => {
      await open({ batch, limits: { reactionMaxChainStatements: 50 } });
      const reactions = await answering(6);
      const narrow = await other();
      await bench.post(begin());
      expect(await countFirings()).toBe(50);
      await bench.post(at('b'));
      for (const { id } of reactions) await expectStopped(id, 'lrs.reactionMaxChainStatements');
      expect(await bench.firings(narrow)).toHaveLength(1);
    });

    const firing = (chainStart: number): NewFiring => ({
      ...{ statementId: randomUUID(), reactionId: randomUUID(), version: 1, triggerId: randomUUID() },
      ...{ triggerPosition: 1, chainStart, position: 2, matched: {} },
    });

    it('is counted no further than to the limit', async () => {
      await open();
      await database.db.write((session) => insertFirings(session, [1, 1, 1, 1, 1, 2, 2].map(firing)));
      const count = (most: number) =>
        database.db.read((session) => countInChains(session, [1, 2, 3], { most }));
      expect([...(await count(3))]).toEqual(
        expect.arrayContaining([
          [1, 3],
          [2, 2],
        ]),
      );
      expect([...(await count(100))].toSorted()).toEqual([
        [1, 5],
        [2, 2],
      ]);
    });

    it('is counted with few queries where 500 chains are long together', async () => {
      await open();
      const starts = Array.from({ length: 500 }, (_, index) => index + 1);
      const made = (start: number) => (start % 5) + 1;
      const firings = starts.flatMap((start) => Array.from({ length: made(start) }, () => firing(start)));
      await database.db.write((session) => insertFirings(session, firings));
      let queries = 0;
      const counts = await database.db.write((session) =>
        countInChains(
          countingQueries(session, () => (queries += 1)),
          [...starts, 501],
          { most: 4 },
        ),
      );
      expect([...counts].toSorted(([a], [b]) => a - b)).toEqual(
        starts.map((start) => [start, Math.min(made(start), 4)]),
      );
      expect(queries).toBeLessThanOrEqual(7);
    });

    it('does not count against what other statements begin', async () => {
      await open({ limits: { reactionMaxChainStatements: 4 } });
      const reactions = await answering(2);
      await bench.post(begin(), begin(), begin());
      expect(await countFirings()).toBe(12);
      for (const { id } of reactions) expect(await bench.store.find(id)).toMatchObject({ error: null });
    });

    it('is counted in the database: neither another process nor a replay makes more', async () => {
      await open({ limits: { reactionMaxChainStatements: 50 } });
      const reactions = await answering(6);
      await bench.post(begin());
      const later = new ReactionBench(engine.shared ? await database.openAgain() : database.db, {
        limits: { reactionMaxChainStatements: 50 },
      });
      const failed = async () => (await bench.store.list()).map((reaction) => reaction.failed);
      const before = await failed();
      for (const reaction of reactions) {
        await later.store.update(reaction.id, { active: true });
        await replay(reaction, later);
      }
      expect(await countFirings()).toBe(50);
      expect(await failed()).toEqual(before);
      await later.service.stop();
    });

    /** What a replay of a reaction under these limits makes, refuses and tells. */
    const replayedWithin = async (reaction: StoredReaction, limits: Partial<MatchLimits>) => {
      const later = new ReactionBench(engine.shared ? await database.openAgain() : database.db, { limits });
      await later.store.update(reaction.id, { active: true });
      const before = (await bench.firings(reaction)).length;
      const range = { since: 0, through: Number.MAX_SAFE_INTEGER, reached: null };
      await database.db.write((session) => upsertReplay(session, reaction.id, range));
      await replay(reaction, later);
      await later.service.stop();
      const row = await database.db.read((session) => selectReplay(session, reaction.id));
      return {
        made: (await bench.firings(reaction)).length - before,
        failed: row?.failed,
        refused: row?.refused,
        problems: storedProblems(row?.problems ?? null).map(({ message }) => message),
      };
    };
    const told = (setting: string) => [expect.stringContaining(setting)];

    it('is told by a replay: how many matches have no room, and which setting permits no more', async () => {
      const narrow = { reactionMaxChainStatements: 1 };
      await open({ limits: narrow });
      const [first, second] = await answering(2);
      await bench.post(begin());
      if (first === undefined || second === undefined) throw new Error('There are two.');
      const [made, refused] = (await bench.firings(first)).length === 1 ? [first, second] : [second, first];
      expect(await replayedWithin(made, narrow)).toEqual({ made: 0, failed: 0, refused: 0, problems: [] });
      for (const _ of [1, 2]) {
        expect(await replayedWithin(refused, narrow)).toEqual({
          ...{ made: 0, failed: 0, refused: 2 },
          problems: told('lrs.reactionMaxChainStatements'),
        });
      }
      expect(await replayedWithin(refused, { reactionMaxChainStatements: 2 })).toEqual({
        ...{ made: 1, failed: 0, refused: 1 },
        problems: told('lrs.reactionMaxChainStatements'),
      });
      expect(await replayedWithin(refused, {})).toEqual({ made: 1, failed: 0, refused: 0, problems: [] });
      expect(await bench.store.find(refused.id)).toMatchObject({ failed: 1 });
    });

    it('is told by a replay also where it is too long, without what is made already', async () => {
      const short = { reactionMaxChain: 1 };
      await open({ limits: short });
      const [first] = await answering(2);
      await bench.post(begin());
      if (first === undefined) throw new Error('There are two.');
      await expectStopped(first.id, 'lrs.reactionMaxChain');
      expect(await replayedWithin(first, short)).toEqual({
        ...{ made: 0, failed: 0, refused: 1 },
        problems: told('lrs.reactionMaxChain)'),
      });
      expect(await replayedWithin(first, {})).toEqual({ made: 1, failed: 0, refused: 0, problems: [] });
      expect(await replayedWithin(first, short)).toEqual({ made: 0, failed: 0, refused: 0, problems: [] });
    });

    it('leaves nothing of a trigger that has no room, and nothing of the same reaction for those that follow', async () => {
      await open({ limits: { reactionMaxChainStatements: 9 } });
      const wide = await bench.react('wide', pair());
      const narrow = await other();
      await bench.service.store(batchOf(Array.from({ length: 10 }, () => at('a'))));
      const bob = { actor: agent('bob') };
      await bench.post(at('b'), at('a', bob), at('b', bob));
      await expectStopped(wide.id, 'lrs.reactionMaxChainStatements');
      expect(await bench.store.find(wide.id)).toMatchObject({ fired: 0, failed: 10 });
      expect(await bench.firings(wide)).toEqual([]);
      expect(await bench.firings(narrow)).toHaveLength(2);
    });

    it('counts a statement once whose id the template gives to several', async () => {
      await open({ limits: { reactionMaxChainStatements: 2 } });
      const id = randomUUID();
      const same = pair({ conditions: { b: isAt('b') }, template: template({ id }) });
      const reactions = [await bench.react('one', same), await bench.react('two', same), await other()];
      await bench.post(at('b'));
      const states = await Promise.all(reactions.map((each) => bench.store.find(each.id)));
      expect(states.map((state) => state?.error)).toEqual([null, null, null]);
      expect(await countFirings()).toBe(2);
    });
  });

  it.each<[string, Json]>([
    ['text with U+0000', 'a\0b'],
    ['half a surrogate pair', '\ud800'],
    ['a registration that is no UUID', 'nothing'],
    ['a very long text', 'x'.repeat(60_000)],
  ])('is nothing where it is compared with %s', async (_, val) => {
    await open();
    const ref = { condition: 'a', path: ['result', 'extensions', extension] };
    const paths = [['context', 'registration'], ['actor', 'mbox'], ['verb', 'id'], ['object', 'id'], ['id']];
    for (const path of paths) {
      await bench.react(
        `literal ${path}`,
        pair({ conditions: { a: isAt('a'), b: { and: [{ path, op: 'eq', val: val as string }] } } }),
      );
      const conditions = { a: isAt('a'), b: { and: [isAt('b'), { path, op: 'eq', ref }] } } as const;
      await bench.react(`ref ${path}`, pair({ conditions }));
    }
    const narrow = await other();
    const sent = val === 'a\0b' ? 'ab' : val;
    await bench.post(at('a', { result: { extensions: { [extension]: sent } } }), at('b'), at('b'));
    const states = await bench.store.list();
    expect(states.filter(({ active }) => !active)).toEqual([]);
    expect(await bench.firings(narrow)).toHaveLength(2);
  });

  it('does not concern other reactions when it is an error that nobody has foreseen, whose message only the log has', async () => {
    const lines: string[] = [];
    await open({ logger: createLogger('ERROR', { write: (line) => lines.push(line) }) });
    const broken = await bench.react('broken', pair());
    const narrow = await other();
    await database.db.write(async (session) => {
      await session.execute('UPDATE statement SET payload = payload');
    });
    const read = database.db.read.bind(database.db);
    let failures = 0;
    database.db.read = (work, options) =>
      read((session) => {
        const select: typeof session.select = (sql, values) => {
          if (!sql.includes('statement_key')) return session.select(sql, values);
          failures += 1;
          throw new Error('no such function: TEST');
        };
        return work({ ...session, select });
      }, options);
    await bench.post(at('a', { actor: agent('ann') }), at('b', { actor: agent('ann') }));
    database.db.read = read;
    expect(failures).toBeGreaterThan(0);
    expect(await bench.store.find(broken.id)).toMatchObject({
      active: false,
      error: { type: 'ReactionQueryError', message: expect.stringContaining('The log of the server') },
    });
    const stored = await bench.store.find(broken.id);
    expect(stored?.error?.message).not.toContain('TEST');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        reaction: broken.id,
        err: expect.objectContaining({ message: 'no such function: TEST' }),
      }),
    );
    expect(await bench.firings(narrow)).toHaveLength(1);
  });
});
