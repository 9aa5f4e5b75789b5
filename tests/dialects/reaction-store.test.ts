import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallContentBytes } from '../../lib/db/types.ts';
import { InvalidError } from '../../lib/errors.ts';
import { insertFirings } from '../../lib/reactions/store/firing-rows.ts';
import { addToCounters, coverMissed } from '../../lib/reactions/store/reaction-rows.ts';
import { ReactionStore, stopReaction } from '../../lib/reactions/store/store.ts';
import type { ChangeOutcome } from '../../lib/reactions/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { batchOf, serviceOn, statement } from '../support/statements.ts';

const limits = { reactionMaxStored: 4, reactionMaxActive: 2, reactionAllRulesetsMaxBytes: 1_000_000 };
const draft = (title: string, active = true) => ({ title, ruleset: '{"a":1}', active });

describe.each(engines)('stored reactions on $name', (engine) => {
  let database: TestDatabase;
  let store: ReactionStore;
  let reached: number | undefined;

  beforeEach(async () => {
    database = await engine.create();
    store = new ReactionStore(database.db, { limits, reached: async () => reached });
  });

  afterEach(() => database.remove());

  it('are listed with ids that sort as they were made', async () => {
    const made = [await store.create(draft('one')), await store.create(draft('two', false))];
    expect(await store.list()).toEqual(made);
    expect(await store.find(made[1]?.id ?? '')).toEqual(made[1]);
    expect(await store.find(randomUUID())).toBeUndefined();
    expect(made[0]).toMatchObject({ version: 1, error: null, fired: 0, since: 0, stopped: null });
  });

  it('have titles of any content that are unique until they are deleted', async () => {
    const title = 'A \u0301 \'"; DROP 😀 '.repeat(200);
    const { id } = await store.create(draft(title));
    const other = await store.create(draft(title.toLowerCase()));
    await expect(store.create(draft(title))).rejects.toThrow(InvalidError);
    await expect(store.update(other.id, { title })).rejects.toThrow('has this title');
    expect(await store.update(id, { title })).toMatchObject({ id, title });
    expect(await store.remove(id)).toBe(true);
    expect(await store.remove(id)).toBe(true);
    expect(await store.remove(randomUUID())).toBe(false);
    expect(await store.find(id)).toBeUndefined();
    const { id: next } = await store.create(draft(title));
    expect((await store.find(next))?.title).toBe(title);
    await expect(store.update(id, { active: true })).rejects.toThrow('has this title');
    expect((await store.titles([id])).get(id)).toEqual({ id, title, deleted: true });
  });

  it('are kept when deleted, the latest ones, as many and as large as there may be others', async () => {
    const ids: string[] = [];
    const purged: string[] = [];
    const onChanged = (outcome: ChangeOutcome) => void purged.push(...outcome.purged);
    const remove = async (title: string, ruleset = '{"a":1}') => {
      const { id } = await store.create({ ...draft(title, false), ruleset });
      await store.remove(id, onChanged);
      ids.push(id);
    };
    const kept = async () => {
      const titles = await store.titles(ids);
      return ids.map((id) => titles.get(id)?.title).filter((title) => title !== undefined);
    };
    for (const title of ['1', '2', '3', '4', '5']) await remove(title);
    expect(await kept()).toEqual(['2', '3', '4', '5']);
    expect(await store.update(ids[0] ?? '', { active: false })).toBeUndefined();
    expect(await store.update(ids[1] ?? '', { active: false })).toMatchObject({ title: '2', deleted: false });
    const half = JSON.stringify('x'.repeat(600_000));
    await remove('large', half);
    expect(await kept()).toEqual(['2', '3', '4', '5', 'large']);
    await remove('larger', half);
    expect(await kept()).toEqual(['2', 'larger']);
    await remove('small');
    expect(await kept()).toEqual(['2', 'larger', 'small']);
    await store.update(ids.at(-1) ?? '', { ruleset: half }, undefined, onChanged);
    expect(await kept()).toEqual(['2', 'small']);
    const titles = await store.titles(ids);
    expect(new Set(purged)).toEqual(new Set(ids.filter((id) => !titles.has(id))));
  });

  it('tell how many bytes large rulesets have before they are loaded', async () => {
    const told: number[] = [];
    const refuse = (bytes: number): void => {
      told.push(bytes);
      throw new Error('no room');
    };
    await store.create(draft('small'));
    expect(await store.list(refuse)).toHaveLength(1);
    const ruleset = JSON.stringify({ a: 'é'.repeat(smallContentBytes / 2) });
    await store.create({ ...draft('large'), ruleset });
    await expect(store.list(refuse)).rejects.toThrow('no room');
    expect(told).toEqual([Buffer.byteLength(ruleset) + Buffer.byteLength(draft('small').ruleset)]);
    expect((await store.list()).at(-1)?.ruleset).toBe(ruleset);
  });

  it('that are created at the same time with a title that gets a number all have different titles', async () => {
    const paused = { ...draft('same'), active: false };
    const created = await Promise.all([1, 2, 3].map(() => store.create(paused, { numbered: true })));
    expect(created.map(({ title }) => title).sort()).toEqual(['same', 'same (2)', 'same (3)']);
  });

  it('have a new version with every change of the ruleset', async () => {
    const { id, modified } = await store.create(draft('one'));
    expect(await store.update(id, { ruleset: '{"a":1}' })).toMatchObject({ version: 1 });
    const changed = await store.update(id, { ruleset: '{"a":2}' });
    expect(changed).toMatchObject({ version: 2, ruleset: '{"a":2}' });
    expect(changed?.modified).toBeGreaterThan(modified);
  });

  it('have no new version where only members of the ruleset have changed places', async () => {
    const { id } = await store.create({ ...draft('one'), ruleset: '{"a":{"b":1,"c":[1,2]},"d":2}' });
    const moved = '{"d":2,"a":{"c":[1,2],"b":1}}';
    expect(await store.update(id, { ruleset: moved })).toMatchObject({ version: 1, ruleset: moved });
    expect(await store.update(id, { ruleset: moved.replace('[1,2]', '[2,1]') })).toMatchObject({
      version: 2,
    });
    const placeholder = '{"template":{"$templatePath":["a"],"x":1}}';
    expect(await store.update(id, { ruleset: placeholder })).toMatchObject({ version: 3 });
    const plain = '{"template":{"x":1,"$templatePath":["a"]}}';
    expect(await store.update(id, { ruleset: plain })).toMatchObject({ version: 4 });
  });

  it('are triggered by what is stored after they were made active', async () => {
    const service = serviceOn(database.db);
    await service.store(batchOf([statement()]));
    const newest = await service.consistentThrough();
    const { id, since } = await store.create(draft('one'));
    expect(since).toBeGreaterThan(0);
    expect(since).toBeLessThanOrEqual(newest);
    reached = since + 5;
    expect(await store.update(id, { active: false })).toMatchObject({ stopped: since + 5, since });
    await service.store(batchOf([statement()]));
    const again = await store.update(id, { active: true });
    expect(again?.since).toBeGreaterThan(since);
    expect(again?.stopped).toBe(since + 5);
  });

  it('remember what they have not looked at since their first stop until a replay has', async () => {
    const service = serviceOn(database.db);
    const { id } = await store.create(draft('one'));
    /** Stops the reaction, stores two statements, so that the stretch is longer than 1 at any speed, and resumes it. */
    const miss = async () => {
      reached = await service.consistentThrough();
      await store.update(id, { active: false });
      await service.store(batchOf([statement(), statement()]));
      const { stopped = null, since = 0, missed } = (await store.update(id, { active: true })) ?? {};
      return { gap: { from: stopped, through: since }, missed };
    };
    const missed = async () => (await store.find(id))?.missed;
    const cover = async (from: number, through: number) => {
      await database.db.write((session) => coverMissed(session, id, { from, through }));
      return missed();
    };
    expect(await missed()).toBeNull();
    const first = await miss();
    expect(first.missed).toEqual(first.gap);
    const second = await miss();
    const both = { from: first.gap.from, through: second.gap.through };
    expect(second.missed).toEqual(both);
    await store.update(id, { title: 'two', active: true });
    expect(await missed()).toEqual(both);
    const [from, middle, end] = [Number(both.from), Number(second.gap.from), Number(both.through)];
    expect(await cover(middle, end + 5)).toEqual({ from, through: middle });
    expect(await cover(from - 1, from + 1)).toEqual({ from: from + 1, through: middle });
    expect(await cover(0, end)).toBeNull();
    expect((await miss()).missed).not.toBeNull();
  });

  it('miss nothing where nothing was stored while they were stopped', async () => {
    const service = serviceOn(database.db);
    await service.store(batchOf([statement()]));
    const { id } = await store.create(draft('one'));
    reached = await service.consistentThrough();
    await store.update(id, { active: false });
    expect(await store.update(id, { active: true })).toMatchObject({ missed: null });
  });

  it('miss nothing where only their own statements, and voided ones, were stored while they were stopped', async () => {
    const service = serviceOn(database.db);
    const { id } = await store.create(draft('one'));
    const other = randomUUID();
    /** What the reaction has missed once a statement that a reaction has generated, or nobody, was stored while it was stopped. */
    const missedWith = async (reactionId: string | undefined, isVoided = false) => {
      reached = await service.consistentThrough();
      await store.update(id, { active: false });
      const statementId = randomUUID();
      await service.store(batchOf([statement({ id: statementId })]));
      if (reactionId !== undefined) {
        const made = { statementId, reactionId, version: 1, triggerId: randomUUID(), matched: {} };
        const places = { triggerPosition: 1, chainStart: 1, position: await service.consistentThrough() };
        await database.db.write((session) => insertFirings(session, [{ ...made, ...places }]));
      }
      if (isVoided)
        await database.db.write((session) =>
          session.execute('UPDATE statement SET voided = 1 WHERE id = :statementId', { statementId }),
        );
      return (await store.update(id, { active: true }))?.missed;
    };
    expect(await missedWith(id)).toBeNull();
    expect(await missedWith(undefined, true)).toBeNull();
    expect(await missedWith(other)).not.toBeNull();
  });

  it('stop with an error, which is gone when they are active again or have a new ruleset', async () => {
    const { id, version } = await store.create(draft('one'));
    const error = { type: 'ReactionTemplateError', message: 'no value' } as const;
    const triggerId = randomUUID();
    const stop = (of: number) =>
      database.db.write((session) =>
        stopReaction(session, { id, version: of }, { error, triggerId, stopped: 7 }),
      );
    expect(await stop(version + 1)).toBe(false);
    expect(await stop(version)).toBe(true);
    expect(await stop(version)).toBe(false);
    const stopped = await store.find(id);
    const shown = { ...error, triggerId, time: stopped?.modified };
    expect(stopped).toMatchObject({ active: false, error: shown, stopped: 7 });
    expect(await store.update(id, { title: 'two' })).toMatchObject({ error: shown });
    expect(await store.update(id, { active: true })).toMatchObject({ error: null });
    await stop(version);
    expect(await store.update(id, { ruleset: '{}' })).toMatchObject({ error: null, active: false });
  });

  it('are limited in number, those that are active and all', async () => {
    const [first] = [await store.create(draft('1')), await store.create(draft('2'))];
    const refusal = (path: string, setting: string) => {
      const message = expect.stringContaining(`lrs.${setting}`);
      return { message, details: [{ path, message, rule: 'limit' }] };
    };
    await expect(store.create(draft('3'))).rejects.toMatchObject(refusal('active', 'reactionMaxActive'));
    const third = await store.create(draft('3', false));
    await expect(store.update(third.id, { active: true })).rejects.toThrow('lrs.reactionMaxActive');
    await store.create(draft('4', false));
    await expect(store.create(draft('5', false))).rejects.toMatchObject(refusal('', 'reactionMaxStored'));
    await store.remove(first?.id ?? '');
    expect(await store.update(third.id, { active: true })).toMatchObject({ active: true });
  });

  it('are limited in the bytes of all rulesets together, deleted ones aside', async () => {
    const setting = 'lrs.reactionAllRulesetsMaxBytes';
    const ruleset = JSON.stringify({ a: 'é'.repeat(200_000) });
    const { id } = await store.create({ ...draft('one'), ruleset });
    const { id: other } = await store.create({ ...draft('two'), ruleset });
    const { id: small } = await store.create(draft('three', false));
    await expect(store.create({ ...draft('four', false), ruleset })).rejects.toMatchObject({
      message: expect.stringContaining(setting),
      details: [{ path: '$', rule: 'limit' }],
    });
    await expect(store.update(small, { ruleset })).rejects.toThrow(setting);
    expect(await store.update(other, { ruleset, title: 'another' })).toMatchObject({ version: 1 });
    await store.remove(id);
    expect(await store.update(small, { ruleset })).toMatchObject({ version: 2 });
    await expect(store.update(id, { active: false })).rejects.toThrow(setting);
  });

  it('start a new epoch with what changes the work of active ones, and with nothing else', async () => {
    let epoch = (await store.active()).epoch;
    const isNew = async (change: Promise<unknown>): Promise<boolean> => {
      await change;
      const before = epoch;
      epoch = (await store.active()).epoch;
      return epoch !== before;
    };
    const { id } = await store.create(draft('before'));
    expect(await isNew(store.create(draft('one')))).toBe(true);
    expect(await isNew(store.update(id, { ruleset: JSON.stringify({ b: 1 }) }))).toBe(true);
    expect(await isNew(store.update(id, { title: 'another' }))).toBe(false);
    expect(await isNew(store.update(id, { active: false }))).toBe(true);
    expect(await isNew(store.update(id, { ruleset: JSON.stringify({ b: 2 }) }))).toBe(false);
    expect(await isNew(store.update(id, { active: true }))).toBe(true);
    expect(await isNew(store.remove(id))).toBe(true);
    expect(await isNew(store.create(draft('paused', false)))).toBe(false);
    const counted = database.db.write((session) =>
      addToCounters(session, {
        id,
        fired: 2,
        failed: 1,
        lastFired: 9_007_199_254_740_991,
        lastFailure: null,
      }),
    );
    expect(await isNew(counted)).toBe(false);
  });

  it('have firings that are found by reaction, trigger and statement', async () => {
    const [reactionId, triggerId] = [randomUUID(), randomUUID()];
    const firings = [1, 2, 3].map((position) => ({
      statementId: randomUUID(),
      reactionId,
      version: 1,
      triggerId,
      triggerPosition: 1,
      chainStart: 1,
      position,
      matched: { 'a "name"': triggerId },
    }));
    await database.db.write((session) => insertFirings(session, firings));
    const found = firings.map((firing) => ({ ...firing, combination: null }));
    expect(await store.firings(reactionId, { before: 3, limit: 5 })).toEqual([found[1], found[0]]);
    expect(await store.triggeredBy(triggerId, { before: Number.MAX_SAFE_INTEGER, limit: 1 })).toEqual([
      found[2],
    ]);
    expect(await store.firingsOf([firings[0]?.statementId ?? '', randomUUID()])).toEqual([found[0]]);
    expect(await store.firingsOf([])).toEqual([]);
  });
});
