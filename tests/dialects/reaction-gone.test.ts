import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Json } from '../../lib/json/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { batchOf, statement, voiding } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const at = (activity: string, parts = {}) =>
  statement({ id: randomUUID(), object: { objectType: 'Activity', id: iri(activity) }, ...parts });
const isAt = (activity: string) => ({ path: ['object', 'id'], op: 'eq', val: iri(activity) }) as const;
const pair = (template: Record<string, Json> = {}) => ({
  identityPaths: [['actor', 'mbox']],
  conditions: { a: isAt('a'), b: isAt('b') },
  template: {
    actor: { $templatePath: ['a', 'actor'] },
    verb: { id: iri('made') },
    object: { id: iri('result') },
    ...template,
  },
});

describe.each(engines)('statements that are voided while reactions work on them, on $name', (engine) => {
  let database: TestDatabase;
  let bench: ReactionBench;
  let beforeWrite: () => Promise<void>;

  beforeEach(async () => {
    database = await engine.create();
    beforeWrite = async () => {};
    bench = new ReactionBench(database.db, { beforeWrite: () => beforeWrite() });
    await bench.ready();
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await bench.service.stop();
    await database.remove();
  });

  const voidOne = async (id: string | undefined): Promise<void> => {
    if (id !== undefined) await bench.service.store(batchOf([voiding(id)]));
  };

  it('are left out of what is stored, and do not hold up the other combinations, however many they are', async () => {
    const reaction = await bench.react('pairs', pair());
    const ids = await bench.post(...Array.from({ length: 30 }, () => at('a')));
    const left = ids.slice(0, 15);
    let evaluated = 0;
    beforeWrite = async () => {
      evaluated += 1;
      await voidOne(left.pop());
    };
    await bench.post(at('b'));
    expect(evaluated).toBe(30);
    const matched = (await bench.firings(reaction)).map((firing) => firing.matched.a);
    expect(new Set(matched)).toEqual(new Set(ids.slice(15)));
    expect(await bench.feed.list()).toMatchObject([{ attempts: 0, error: null }]);
    expect(await bench.store.find(reaction.id)).toMatchObject({ fired: 15, failed: 0, active: true });
  });

  it('stop no reaction that has failed on them only', async () => {
    const response = { $templatePath: ['a', 'result', 'response'] };
    const reaction = await bench.react('responses', pair({ result: { response } }));
    const [bad] = await bench.post(at('a'), at('a', { result: { response: 'yes' } }));
    const left = [bad];
    beforeWrite = () => voidOne(left.pop());
    await bench.post(at('b'));
    expect(await bench.store.find(reaction.id)).toMatchObject({ fired: 1, failed: 0, error: null });
  });

  it('stop a reaction that exceeds a limit, which the next trigger would cost again', async () => {
    await bench.service.stop();
    bench = new ReactionBench(database.db, {
      limits: { reactionMaxMatches: 2 },
      beforeWrite: () => beforeWrite(),
    });
    await bench.ready();
    const reaction = await bench.react('pairs', pair());
    await bench.post(at('a'), at('a'), at('a'));
    const [first] = await bench.service.store(batchOf([at('b'), at('b')]));
    const left = [first];
    beforeWrite = () => voidOne(left.pop());
    await bench.catchUp();
    expect(await bench.store.find(reaction.id)).toMatchObject({
      ...{ active: false, failed: 1 },
      error: { type: 'ReactionLimitError', triggerId: first },
    });
  });

  it('take nothing from a reaction that goes on with the next trigger', async () => {
    const response = { $templatePath: ['b', 'result', 'response'] };
    const reaction = await bench.react('responses', pair({ result: { response } }));
    const other = await bench.react('others', pair());
    await bench.post(at('a'));
    const answered = { result: { response: 'yes' } };
    const [bad] = await bench.service.store(batchOf([at('b'), at('b', answered), at('b', answered)]));
    const left = [bad];
    beforeWrite = () => voidOne(left.pop());
    await bench.catchUp();
    expect(await bench.store.find(reaction.id)).toMatchObject({ fired: 2, failed: 0, error: null });
    expect(await bench.firings(other)).toHaveLength(2);
  });
});
