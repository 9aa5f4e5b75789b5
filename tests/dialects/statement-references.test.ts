import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotFoundError } from '../../lib/errors.ts';
import { mostPassedOn } from '../../lib/statements/commit/reference-graph.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import {
  agent,
  authority,
  batchOf,
  foundIds,
  read,
  reference,
  serviceOn,
  statement,
  voiding,
} from '../support/statements.ts';

const verb = { id: 'https://example.org/verbs/of-the-target' };
const byVerb = { verb: verb.id, ascending: true };

describe.each(engines)('statements that refer to others on $name', (engine) => {
  let database: TestDatabase;
  let service: StatementService;

  beforeEach(async () => {
    database = await engine.create();
    service = serviceOn(database.db);
  });

  afterEach(() => database.remove());

  /** Ids of a chain: each statement refers to the one before it, the first is the target. */
  function chain(length: number) {
    const ids = Array.from({ length }, () => randomUUID());
    const statements = ids.map((id, index) =>
      index === 0 ? statement({ id, verb }) : reference(ids[index - 1] ?? '', { id }),
    );
    return { ids, statements };
  }

  const arrivals = {
    'one by one, the target first': (all: Statement[]) => all.map((each) => [each]),
    'one by one, the target last': (all: Statement[]) => all.toReversed().map((each) => [each]),
    'the target between two halves': ([target, ...rest]: Statement[]) =>
      target ? [rest.slice(100), [target], rest.slice(0, 100)] : [],
    'in one batch, the target last': (all: Statement[]) => [all.toReversed()],
  };
  it.each(Object.entries(arrivals))('are found through a chain of 200 that arrives %s', async (_, split) => {
    const { ids, statements } = chain(200);
    for (const batch of split(statements)) await service.store(batchOf(batch));
    await service.finishReferences();
    expect((await foundIds(service, byVerb)).toSorted()).toEqual(ids.toSorted());
  });

  it('are found through a target that comes after a thousand of them', async () => {
    const target = randomUUID();
    const referring = Array.from({ length: 1000 }, () => reference(target));
    const ids = await service.store(batchOf(referring));
    expect(await foundIds(service, byVerb)).toEqual([]);
    await service.store(batchOf([statement({ id: target, verb })]));
    await service.finishReferences();
    expect(await foundIds(service, byVerb)).toEqual([...ids, target]);
  });

  it('cost each other no more than a bounded number of entries in a long chain of ever new keys', async () => {
    const length = 600;
    const { statements } = chain(length);
    const each = statements.map((one, index) => ({ ...one, verb: { id: `${verb.id}/${index}` } }));
    await service.store(batchOf(each));
    await service.finishReferences();
    const [row] = await database.db.read((session) =>
      session.select<{ entries: number; longest: number }>(
        `SELECT (SELECT COUNT(*) FROM statement_key)
            + (SELECT COALESCE(SUM(OCTET_LENGTH(search_keys)), 0) / 16 FROM statement_key_buffer) AS entries,
          (SELECT MAX(OCTET_LENGTH(search_keys)) FROM statement_reference) AS longest`,
      ),
    );
    const own = 5;
    expect(Number(row?.entries)).toBeLessThanOrEqual(length * (own + mostPassedOn));
    expect(Number(row?.longest)).toBeLessThanOrEqual(16 * (own + mostPassedOn));
    const nearest = { verb: `${verb.id}/${length - 101}`, ascending: true, limit: 101 };
    expect(await foundIds(service, nearest)).toContain(each.at(-1)?.id);
  });

  it('are found through 300 others when a target comes that all of them have waited for', async () => {
    const { ids, statements } = chain(300);
    const [target, ...waiting] = statements;
    await service.store(batchOf(waiting));
    await service.store(batchOf(target ? [target] : []));
    await service.finishReferences();
    expect(await foundIds(service, byVerb)).toEqual([...ids.slice(1), ids[0]]);
  });

  it('may refer to each other in a cycle', async () => {
    const ids = Array.from({ length: 3 }, () => randomUUID());
    const verbs = ids.map((_, index) => ({ id: `https://example.org/verbs/${index}` }));
    for (const [index, id] of ids.entries()) {
      const next = ids[(index + 1) % ids.length] ?? '';
      await service.store(batchOf([reference(next, { id, verb: verbs[index] ?? verb })]));
    }
    for (const each of verbs) {
      expect(await foundIds(service, { verb: each.id, ascending: true })).toEqual(ids);
    }
  });

  it('may refer to themselves', async () => {
    const id = randomUUID();
    await service.store(batchOf([reference(id, { id, verb })]));
    expect(await foundIds(service, byVerb)).toEqual([id]);
  });

  it('do not share the authority of their target', async () => {
    const other = agent('other-authority');
    const [target = ''] = await service.store(batchOf([statement()], { authority: other }));
    const [source = ''] = await service.store(batchOf([reference(target)]));
    expect(await foundIds(service, { authority: other })).toEqual([target]);
    expect(await foundIds(service, { authority })).toEqual([source]);
  });

  it('are not found by what a foreign target or one behind it says when only own statements may be read', async () => {
    const [mine, theirs] = [agent('me'), agent('them')];
    const own = { authority: mine };
    const ids = { source: randomUUID(), between: randomUUID(), target: randomUUID() };
    const far = { id: 'https://example.org/verbs/far' };
    const near = { id: 'https://example.org/verbs/near' };
    const arriving: [Statement, typeof mine][] = [
      [reference(ids.between, { id: ids.source, verb: near }), mine],
      [reference(ids.target, { id: ids.between, verb }), theirs],
      [statement({ id: ids.target, verb: far }), mine],
    ];
    for (const order of [arriving, arriving.toReversed()]) {
      const each = await engine.create();
      const onIt = serviceOn(each.db);
      for (const [one, authority] of order) await onIt.store(batchOf([one], { authority }));
      expect(await foundIds(onIt, { ...own, verb: verb.id })).toEqual([]);
      expect(await foundIds(onIt, { ...own, verb: far.id })).toEqual([ids.target]);
      expect(await foundIds(onIt, { ...own, verb: near.id })).toEqual([ids.source]);
      expect(await foundIds(onIt, { ...own, agent: theirs, relatedAgents: true })).toEqual([]);
      expect((await foundIds(onIt, { verb: far.id })).length).toBe(3);
      await each.remove();
    }
  });

  it('still match through a target that has been voided, which itself does not (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const [target = ''] = await service.store(batchOf([statement({ verb })]));
    const [before = ''] = await service.store(batchOf([reference(target)]));
    const [voider = ''] = await service.store(batchOf([voiding(target)]));
    const [after = ''] = await service.store(batchOf([reference(target)]));
    expect(await foundIds(service, byVerb)).toEqual([before, voider, after]);
  });

  const orders = {
    'after its target': [0, 1],
    'before its target': [1, 0],
  };
  describe.each(Object.entries(orders))('a voiding statement that arrives %s', (_, order) => {
    it.each(['apart', 'in one batch'])('voids it, %s (xAPI 1.0.3 Data 2.3.2)', async (manner) => {
      const id = randomUUID();
      const pair = [statement({ id, verb }), voiding(id, { id: randomUUID() })];
      const arriving = order.flatMap((index) => pair[index] ?? []);
      if (manner === 'apart') for (const each of arriving) await service.store(batchOf([each]));
      else await service.store(batchOf(arriving));
      expect(await foundIds(service)).toEqual([pair[1]?.id]);
      expect(await foundIds(service, byVerb)).toEqual([pair[1]?.id]);
      await expect(read(service, id)).rejects.toThrow(NotFoundError);
      await expect(read(service, id, true)).resolves.toMatchObject({ id });
    });

    it('leaves it alone when it is a voiding statement itself (xAPI 1.0.3 Data 2.3.2)', async () => {
      const id = randomUUID();
      const pair = [voiding(randomUUID(), { id }), voiding(id, { id: randomUUID() })];
      for (const index of order) await service.store(batchOf([pair[index] ?? statement()]));
      expect(await foundIds(service)).toHaveLength(2);
      await expect(read(service, id, true)).rejects.toThrow(NotFoundError);
    });
  });

  it('are voided like any other, and then stay hidden when their target arrives', async () => {
    const target = randomUUID();
    const [source = ''] = await service.store(batchOf([reference(target)]));
    const [top = ''] = await service.store(batchOf([reference(source)]));
    const [voider = ''] = await service.store(batchOf([voiding(source)]));
    await service.store(batchOf([statement({ id: target, verb })]));
    expect(await foundIds(service, byVerb)).toEqual([top, voider, target]);
    await expect(read(service, source)).rejects.toThrow(NotFoundError);
  });

  it('match no voided statement under a statementId without voiding (xAPI 1.0.3 Communication 2.1.4)', async () => {
    const [id = ''] = await service.store(batchOf([statement()]));
    await expect(read(service, id, true)).rejects.toThrow(NotFoundError);
    await expect(read(service, id)).resolves.toMatchObject({ id });
  });

  it('leave no index entry of a voided statement behind', async () => {
    const [id = ''] = await service.store(batchOf([statement()]));
    await service.store(batchOf([voiding(id)]));
    const rows = await database.db.read((session) =>
      session.select(
        'SELECT s.id FROM statement_key k JOIN statement s ON s.position = k.position WHERE s.voided = 1',
      ),
    );
    expect(rows).toEqual([]);
  });
});
