import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reactionsConsumer } from '../../lib/reactions/consumer.ts';
import { ActiveReactions } from '../../lib/reactions/engine/active-reactions.ts';
import type { StoredReaction } from '../../lib/reactions/store/reaction-rows.ts';
import { rejoin, setAside } from '../../lib/reactions/store/slow-reactions.ts';
import type { Ruleset } from '../../lib/reactions/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { statement } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const trigger = () => statement({ id: randomUUID(), object: { objectType: 'Activity', id: iri('trigger') } });
const ruleset = (made: string, activity = 'trigger'): Ruleset => ({
  identityPaths: [['actor', 'mbox']],
  conditions: { a: { path: ['object', 'id'], op: 'eq', val: iri(activity) } },
  template: {
    actor: { $templatePath: ['a', 'actor'] },
    verb: { id: iri(made) },
    object: { id: iri('result') },
  },
});

describe.each(engines)('reactions that are changed while one works on a trigger, on $name', (engine) => {
  let database: TestDatabase;
  let bench: ReactionBench;
  let reaction: StoredReaction;
  let other: StoredReaction;
  /** How often the trigger was worked on, up to what is written. */
  let worked: number;
  /** What is done when that was first so. */
  let meanwhile: () => Promise<unknown>;

  beforeEach(async () => {
    database = await engine.create();
    worked = 0;
    meanwhile = async () => {};
    bench = new ReactionBench(database.db, {
      beforeWrite: async () => {
        worked += 1;
        if (worked === 1) await meanwhile();
      },
    });
    await bench.ready();
    reaction = await bench.react('one', ruleset('made'));
    other = await bench.react('other', ruleset('other', 'elsewhere'));
  });

  afterEach(async () => {
    await bench.service.stop();
    await database.remove();
  });

  const setAsideAll = ({ id }: StoredReaction) => database.db.write((session) => setAside(session, id, 0));
  const returnTo = ({ id }: StoredReaction, after: number) =>
    database.db.write((session) => rejoin(session, id, after));
  const madeBy = async (one: StoredReaction) =>
    (await bench.firings(one)).map(({ version, triggerId }) => ({ version, triggerId }));

  it('tell their ids when they have changed, without those that are deleted or paused', async () => {
    const told: ReadonlySet<string>[] = [];
    const active = new ActiveReactions(database.db, (ids) => told.push(ids));
    await active.refresh();
    await active.refresh();
    await bench.store.update(other.id, { active: false });
    await active.refresh();
    await bench.store.remove(reaction.id);
    await active.refresh();
    expect(told).toEqual([new Set([reaction.id, other.id]), new Set([reaction.id]), new Set()]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['gets another title', () => bench.store.update(other.id, { title: 'another' })],
    ['gets another ruleset', () => bench.store.update(other.id, { ruleset: JSON.stringify(ruleset('new')) })],
    ['is paused', () => bench.store.update(other.id, { active: false })],
    ['is deleted', () => bench.store.remove(other.id)],
    ['is set aside', () => setAsideAll(other)],
    ['is created', () => bench.react('third', ruleset('third'))],
  ])('write what has come about, once, where another reaction %s', async (_, change) => {
    meanwhile = change;
    const [triggerId] = await bench.post(trigger());
    expect(await madeBy(reaction)).toEqual([{ version: 1, triggerId }]);
    expect(worked).toBe(1);
  });

  it('write what has come about where only the title of the reaction was changed', async () => {
    meanwhile = () => bench.store.update(reaction.id, { title: 'another' });
    const [triggerId] = await bench.post(trigger());
    expect(await madeBy(reaction)).toEqual([{ version: 1, triggerId }]);
    expect(worked).toBe(1);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['paused', () => bench.store.update(reaction.id, { active: false })],
    ['deleted', () => bench.store.remove(reaction.id)],
    [
      'paused and resumed',
      async () => {
        await bench.store.update(reaction.id, { active: false });
        await bench.store.update(reaction.id, { active: true });
      },
    ],
  ])('write nothing of one that was %s', async (_, change) => {
    meanwhile = change;
    await bench.post(trigger());
    expect(await madeBy(reaction)).toEqual([]);
    expect(worked).toBe(1);
  });

  it('write what the new ruleset makes of the trigger', async () => {
    meanwhile = () => bench.store.update(reaction.id, { ruleset: JSON.stringify(ruleset('new')) });
    const [triggerId] = await bench.post(trigger());
    expect(await madeBy(reaction)).toEqual([{ version: 2, triggerId }]);
    expect((await bench.made(reaction)).map(({ verb }) => verb.id)).toEqual([iri('new')]);
  });

  it.each([
    [
      'fails where it is another one',
      'corrected',
      { fired: 1, failed: 1, lastFailure: { reason: 'id-taken' } },
    ],
    ['is the same one', 'made', { fired: 1, failed: 0, lastFailure: null }],
  ])(
    'make a statement with the id that the earlier ruleset gave to its own, which %s',
    async (_, made, state) => {
      const giving = (verb: string, name: string): string => {
        const { template, ...others } = ruleset(verb) as Ruleset & { readonly template: object };
        const id = { $templatePath: [name, 'context', 'registration'] };
        const actor = { $templatePath: [name, 'actor'] };
        const conditions = { [name]: others.conditions.a };
        return JSON.stringify({ ...others, conditions, template: { ...template, actor, id } });
      };
      await bench.store.update(reaction.id, { ruleset: giving('made', 'a') });
      await bench.post({ ...trigger(), context: { registration: randomUUID() } });
      expect(await bench.store.find(reaction.id)).toMatchObject({ fired: 1, failed: 0 });
      await bench.store.update(reaction.id, { ruleset: giving(made, made === 'made' ? 'b' : 'a') });
      await bench.feed.removeConsumer(reactionsConsumer);
      await bench.feed.ensureConsumer({ name: reactionsConsumer, kind: reactionsConsumer, cursor: 0 });
      await bench.catchUp();
      expect(await bench.store.find(reaction.id)).toMatchObject(state);
    },
  );

  it('leave to its own consumer one that was set aside, which writes it once', async () => {
    meanwhile = () => setAsideAll(reaction);
    const [triggerId] = await bench.post(trigger());
    expect(await madeBy(reaction)).toEqual([{ version: 1, triggerId }]);
    expect(worked).toBe(2);
  });

  it('write nothing of what its own consumer had begun of one that has returned', async () => {
    await setAsideAll(reaction);
    meanwhile = () => returnTo(reaction, Number.MAX_SAFE_INTEGER - 1);
    await bench.post(trigger());
    expect(await madeBy(reaction)).toEqual([]);
    expect(worked).toBe(1);
  });

  it('are triggered by what is stored after they were created, and by nothing before', async () => {
    let third: StoredReaction | undefined;
    meanwhile = async () => {
      third = await bench.react('third', ruleset('third'));
    };
    await bench.post(trigger());
    const [triggerId] = await bench.post(trigger());
    expect(third && (await madeBy(third))).toEqual([{ version: 1, triggerId }]);
    expect(await madeBy(reaction)).toHaveLength(2);
  });
});
