import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createErasureService } from '../../lib/erasure/service.ts';
import { createLogger } from '../../lib/logger.ts';
import { selectReplay, upsertReplay } from '../../lib/reactions/replay/replay-store.ts';
import { forgetErased } from '../../lib/reactions/store/erased-ids.ts';
import type { StoredReaction } from '../../lib/reactions/store/reaction-rows.ts';
import { addReplayProblems, storedProblems } from '../../lib/reactions/store/replay-problems.ts';
import type { Condition } from '../../lib/reactions/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { agent, authority, batchOf, statement, voiding } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const passed = (activity: string, name = 'ann', parts = {}) =>
  statement({
    id: randomUUID(),
    actor: agent(name),
    verb: { id: iri('passed') },
    object: { objectType: 'Activity', id: iri(activity) },
    ...parts,
  });
const isPassed = (activity: string) => ({
  and: [
    { path: ['verb', 'id'], op: 'eq', val: iri('passed') },
    { path: ['object', 'id'], op: 'eq', val: iri(activity) },
  ],
});
const template = {
  actor: { $templatePath: ['a', 'actor'] },
  verb: { id: iri('certified') },
  object: { id: iri('course') },
};
const certificate = {
  identityPaths: [['actor', 'mbox']],
  conditions: { a: isPassed('a'), b: isPassed('b') },
  template,
};

describe.each(engines)('reactions on $name', (engine) => {
  let database: TestDatabase;
  let bench: ReactionBench;
  /** Another process. */
  let other: ReactionBench;
  let beforeWrite: () => Promise<void>;

  const eraseAnn = async (): Promise<void> => {
    const erasure = createErasureService(database.db, createLogger('OFF'));
    await erasure.erase('mbox::mailto:ann@example.org');
  };

  beforeEach(async () => {
    database = await engine.create();
    beforeWrite = async () => {};
    bench = new ReactionBench(database.db, { beforeWrite: () => beforeWrite() });
    other = new ReactionBench(engine.shared ? await database.openAgain() : database.db);
    await bench.ready();
  });

  afterEach(async () => {
    await Promise.all([bench.service.stop(), other.service.stop()]);
    await database.remove();
  });

  it('make a statement when all conditions are met by statements of one learner', async () => {
    const reaction = await bench.react('certify', certificate);
    const [first = '', , last = ''] = await bench.post(passed('b'), passed('a', 'bob'), passed('a'));
    const [made] = await bench.made(reaction);
    expect(made).toMatchObject({ ...template, actor: agent('ann'), authority, version: '1.0.0' });
    expect(await bench.firings(reaction)).toMatchObject([
      { triggerId: last, matched: { a: last, b: first }, version: 1 },
    ]);
    expect(await bench.store.find(reaction.id)).toMatchObject({ fired: 1, failed: 0, active: true });
  });

  it('make nothing of statements that were stored before they were made active', async () => {
    await bench.post(passed('a'), passed('b'));
    const reaction = await bench.react('certify', certificate);
    await bench.catchUp();
    expect(await bench.made(reaction)).toEqual([]);
    await bench.post(passed('a'));
    expect(await bench.made(reaction)).toHaveLength(1);
  });

  it('work with a ruleset as the documentation of lrsql has it', async () => {
    const completed = (activity: string, ...more: Condition[]): Condition => ({
      and: [
        { path: ['object', 'id'], op: 'eq', val: iri(activity) },
        { path: ['verb', 'id'], op: 'eq', val: iri('completed') },
        { path: ['result', 'success'], op: 'eq', val: true },
        ...more,
      ],
    });
    const ifis = [['mbox'], ['mbox_sha1sum'], ['openid'], ['account', 'homePage'], ['account', 'name']];
    const reaction = await bench.react('from lrsql', {
      identityPaths: ifis.map((path) => ['actor', ...path]),
      conditions: {
        a: completed('activities/a'),
        b: completed('activities/b', {
          path: ['timestamp'],
          op: 'gt',
          ref: { condition: 'a', path: ['timestamp'] },
        }),
      },
      template: {
        actor: { mbox: { $templatePath: ['a', 'actor', 'mbox'] } },
        verb: { id: iri('completed') },
        object: { id: iri('activities/a-and-b'), objectType: 'Activity' },
      },
    });
    const completion = (activity: string, hour: number) =>
      passed(activity, 'bob', {
        verb: { id: iri('completed') },
        result: { success: true },
        timestamp: `2024-01-23T0${hour}:00:00.000Z`,
      });
    await bench.post(completion('activities/a', 1), completion('activities/b', 2));
    expect(await bench.made(reaction)).toMatchObject([
      { actor: { mbox: 'mailto:bob@example.org' }, object: { id: iri('activities/a-and-b') } },
    ]);
  });

  describe('whose statements are erased', () => {
    /** Without the identity, statements of Ann and of Bob match together. */
    const together = { ...certificate, identityPaths: [] };
    const allOf = async () =>
      JSON.stringify(await database.db.read((session) => session.select('SELECT * FROM reaction_firing')));

    it('lose the ids of those, and keep the others', async () => {
      const reaction = await bench.react('certify', together);
      const bob = passed('b', 'bob');
      const ann = passed('a');
      await bench.post(bob, ann);
      await eraseAnn();
      expect(await bench.firings(reaction)).toMatchObject([
        { triggerId: null, matched: { a: null, b: bob.id }, combination: expect.any(String) },
      ]);
      expect(await allOf()).not.toContain(ann.id);
      expect(
        await bench.store.triggeredBy(ann.id ?? '', { before: Number.MAX_SAFE_INTEGER, limit: 10 }),
      ).toEqual([]);
    });

    it.each<[string, object]>([
      ['an id of its own', {}],
      ['an id that the template gives', { id: randomUUID() }],
    ])('do not fire again when the statements are stored once more, with %s', async (_, parts) => {
      const reaction = await bench.react('certify', { ...together, template: { ...template, ...parts } });
      const [bob, ann] = [passed('b', 'bob'), passed('a')];
      await bench.post(bob, ann);
      const before = await bench.firings(reaction);
      expect(before).toHaveLength(1);
      await eraseAnn();
      await bench.post(ann);
      expect(await bench.firings(reaction)).toHaveLength(1);
      expect(await bench.store.find(reaction.id)).toMatchObject({ fired: 1, failed: 0, active: true });
      expect(await bench.store.stored(before.map(({ statementId }) => statementId))).toEqual(new Set());
    });

    it('are told from the statement with the UUID of zeros', async () => {
      const zeros = '00000000-0000-0000-0000-000000000000';
      const single = { ...certificate, conditions: { a: isPassed('a') } };
      const reaction = await bench.react('certify', single);
      await bench.react('copy', { ...single, template: { ...template, verb: { id: iri('copied') } } });
      await bench.post(passed('a', 'bob', { id: zeros }), passed('a'));
      await eraseAnn();
      expect((await bench.firings(reaction)).map(({ triggerId }) => triggerId)).toEqual([null, zeros]);
      expect(
        (await bench.store.triggeredBy(zeros, { before: Number.MAX_SAFE_INTEGER, limit: 10 })).map(
          ({ triggerId }) => triggerId,
        ),
      ).toEqual([zeros, zeros]);
    });

    it('lose their ids also in the firing that has made the statement with the UUID of zeros', async () => {
      const id = '00000000-0000-0000-0000-000000000000';
      const reaction = await bench.react('certify', {
        ...certificate,
        conditions: { a: isPassed('a') },
        template: { ...template, id, actor: { mbox: 'mailto:bob@example.org' } },
      });
      await bench.post(passed('a'));
      await eraseAnn();
      expect(await bench.firings(reaction)).toMatchObject([
        { statementId: id, triggerId: null, matched: { a: null } },
      ]);
    });

    it('still fire for other combinations with statements that stay', async () => {
      const reaction = await bench.react('certify', together);
      await bench.post(passed('b', 'bob'), passed('a'));
      await eraseAnn();
      await bench.post(passed('a', 'cem'));
      expect(await bench.firings(reaction)).toHaveLength(2);
    });

    it('know of generated statements that stay by which reactions they came about', async () => {
      const notice = { ...template, actor: { mbox: 'mailto:lrs@example.org' } };
      const first = { ...certificate, conditions: { a: isPassed('a') }, template: notice };
      const isCertified = { path: ['verb', 'id'], op: 'eq', val: iri('certified') };
      const again = {
        identityPaths: [],
        conditions: { a: isCertified },
        template: { ...notice, verb: { id: iri('told') } },
      };
      const [one, two] = [await bench.react('first', first), await bench.react('second', again)];
      await bench.post(passed('a'));
      const [made] = await bench.firings(one);
      await eraseAnn();
      expect(await bench.firings(one)).toMatchObject([{ statementId: made?.statementId, triggerId: null }]);
      expect(await bench.firings(two)).toMatchObject([
        { triggerId: made?.statementId, matched: { a: made?.statementId } },
      ]);
    });

    it('lose the id in the error of a reaction, and what it may quote', async () => {
      const broken = { ...together, template: { ...template, actor: { $templatePath: ['a', 'result'] } } };
      const { id } = await bench.react('broken', broken);
      const [, trigger = ''] = await bench.post(passed('b', 'bob'), passed('a'));
      const failure = { triggerId: trigger };
      expect(await bench.store.find(id)).toMatchObject({ error: failure, lastFailure: failure });
      await eraseAnn();
      expect(await bench.store.find(id)).toMatchObject({
        active: false,
        error: {
          type: 'ReactionTemplateError',
          triggerId: null,
          message: expect.stringContaining('was erased'),
        },
        lastFailure: { triggerId: null, message: expect.stringContaining('was erased') },
      });
    });

    it('lose the id in the problems of a replay, and what they may quote', async () => {
      const { id } = await bench.react('certify', together);
      const [, trigger = ''] = await bench.post(passed('b', 'bob'), passed('a'));
      const problems = [
        { error: { type: 'ReactionTemplateError', message: 'quotes Ann' }, triggerId: trigger },
        { error: { type: 'ReactionLimitError', message: 'quotes nothing' }, triggerId: randomUUID() },
      ] as const;
      await database.db.write(async (session) => {
        await upsertReplay(session, id, { since: 0, through: 1, reached: 1 });
        await addReplayProblems(session, id, problems);
      });
      const stored = async () => {
        const replay = await database.db.read((session) => selectReplay(session, id));
        return storedProblems(replay?.problems ?? null);
      };
      expect((await stored()).map(({ message }) => message)).toEqual(['quotes nothing', 'quotes Ann']);
      await eraseAnn();
      expect(await stored()).toMatchObject([
        { type: 'ReactionLimitError', triggerId: null, message: expect.stringContaining('was erased') },
        { type: 'ReactionTemplateError', triggerId: null, message: expect.stringContaining('was erased') },
      ]);
    });

    const annsName = { $templatePath: ['a', 'actor', 'name'] };
    it.each([
      ['what its template has made', { id: annsName }],
      ['the steps of a path', { id: { $templatePath: ['b', 'result', annsName] } }],
    ])(
      'lose what an error may quote of a matched statement that is not the trigger: %s',
      async (_, object) => {
        const { id } = await bench.react('broken', { ...together, template: { ...template, object } });
        const [, trigger = ''] = await bench.post(
          passed('a', 'ann', { actor: { ...agent('ann'), name: 'Ann Secret' } }),
          passed('b', 'bob'),
        );
        const message = async () => (await bench.store.find(id))?.error?.message;
        expect(await message()).toContain('Ann Secret');
        await eraseAnn();
        expect(await message()).toContain('was removed when statements were erased');
        expect(await bench.store.find(id)).toMatchObject({ active: false, error: { triggerId: trigger } });
      },
    );

    it('are found however many firings there are', async () => {
      const reaction = await bench.react('certify', together);
      const others = Array.from({ length: 30 }, () => passed('a', 'bob'));
      await bench.post(...others.slice(0, 15), passed('a'), ...others.slice(15), passed('b', 'bob'));
      expect(await bench.firings(reaction)).toHaveLength(31);
      let after: string | undefined;
      await eraseAnn();
      do {
        after = await database.db.write((session) => forgetErased(session, { after, rows: 4 }));
      } while (after !== undefined);
      const firings = await bench.firings(reaction);
      expect(firings.filter(({ matched }) => matched.a === null)).toHaveLength(1);
      expect(firings.filter(({ combination }) => combination !== null)).toHaveLength(1);
    });
  });

  it.each<[string, (reaction: StoredReaction, matched: string) => Promise<unknown>]>([
    ['a matched statement is voided', (_, matched) => other.service.store(batchOf([voiding(matched)]))],
    ['a matched statement is erased', () => eraseAnn()],
    ['the reaction is paused', ({ id }) => other.store.update(id, { active: false })],
    ['the reaction is deleted', ({ id }) => other.store.remove(id)],
    [
      'the reaction has another ruleset',
      ({ id }) =>
        other.store.update(id, {
          ruleset: JSON.stringify({ ...certificate, conditions: { a: isPassed('c') } }),
        }),
    ],
  ])('make nothing when %s before it is written', async (_, interfere) => {
    const reaction = await bench.react('certify', certificate);
    const [matched = ''] = await bench.post(passed('a'));
    let once = false;
    beforeWrite = async () => {
      if (!once) await interfere(reaction, matched);
      once = true;
    };
    await bench.post(passed('b'));
    expect(once).toBe(true);
    expect(await bench.firings(reaction)).toEqual([]);
  });

  it('make nothing more by a replay once they are paused', async () => {
    await bench.post(passed('a'), passed('b'));
    const reaction = await bench.react('certify', certificate);
    let turns = 0;
    bench.feed.register('again', {
      async handle(items, turn) {
        turns += 1;
        if (turns > 1) return { through: items.at(-1)?.position ?? 0 };
        const effect = await bench.engine.replay(reaction, items, turn);
        await other.store.update(reaction.id, { active: false });
        return effect;
      },
    });
    await bench.feed.ensureConsumer({ name: 'again', kind: 'again', cursor: 0 });
    await bench.catchUp();
    expect(turns).toBeGreaterThan(1);
    expect(await bench.firings(reaction)).toEqual([]);
  });

  it('that are made active while statements come in miss none that is stored later', async () => {
    await bench.post(passed('a'));
    const reaction = await other.react('certify', certificate);
    await other.service.store(batchOf([passed('b')]));
    await bench.catchUp();
    expect(await bench.firings(reaction)).toHaveLength(1);
  });

  it('make a combination once when two processes take turns', async () => {
    const reaction = await bench.react('certify', certificate);
    for (let count = 0; count < 10; count++) {
      await bench.service.store(batchOf([passed('a'), passed('b')]));
      await Promise.all([bench.feed, other.feed].map((feed) => feed.runUntil(Date.now() + 20_000)));
    }
    await other.catchUp();
    const firings = await bench.firings(reaction);
    expect(firings).toHaveLength(100);
    expect(new Set(firings.map(({ matched }) => JSON.stringify(matched))).size).toBe(100);
  });
});
