import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { extension, extensionPath, type ReactionClient } from '../../../support/reaction-client.ts';

/** An operator, the value that is given, the value that is stored in an extension, and whether the comparison holds. */
type Case = readonly [op: string, given: unknown, stored: unknown, holds: boolean];

export function comparisonFacts(client: ReactionClient): void {
  /** Checks all cases on one statement, which has an extension for each. */
  async function expectHolds(cases: readonly Case[]): Promise<void> {
    const name = (index: number) => `${extension}/${index}`;
    const stored = cases.map(([, , value], index) => [name(index), value]);
    const comparisons = cases.map(([op, val, , holds], index) => {
      return { holds, comparison: { path: ['result', 'extensions', name(index)], op, val } };
    });
    const those = (wanted: boolean) =>
      comparisons.flatMap(({ holds, comparison }) => (holds === wanted ? [comparison] : []));
    const result = { extensions: Object.fromEntries(stored) };
    await client.expectFulfilled({ result }, { hold: those(true), fail: those(false) });
  }

  it('section 4.10: scores compare as decimals, success and completion as true and false', async () => {
    const result = { score: { scaled: 0.8, raw: 9, max: 10 }, success: false, completion: true };
    const max = { condition: 'a', path: ['result', 'score', 'max'] };
    const hold = [
      { path: ['result', 'score', 'scaled'], op: 'gte', val: 0.8 },
      { path: ['result', 'score', 'raw'], op: 'lt', val: 10 },
      { path: ['result', 'score', 'raw'], op: 'lt', ref: max },
      { path: ['result', 'completion'], op: 'eq', val: true },
    ];
    const fail = [
      { path: ['result', 'score', 'scaled'], op: 'gt', val: 0.8 },
      { path: ['result', 'success'], op: 'eq', val: true },
      { path: ['result', 'completion'], op: 'noteq', val: true },
    ];
    await client.expectFulfilled({ result }, { hold, fail });
  });

  it('section 4.11: what an extension holds compares as the type of the given value', async () => {
    await expectHolds([
      ['gt', 9, 10, true],
      ['gt', 9, '10', true],
      ['gte', 10, 10, true],
      ['lt', 10.5, 10.25, true],
      ['lte', 0.3, 0.3, true],
      ['eq', true, true, true],
      ['eq', true, 'true', true],
      ['noteq', true, true, false],
      ['eq', 5, '5', true],
      ['eq', '5', 5, true],
      ['eq', 5, 'five', false],
      ['noteq', 5, 'five', true],
      ['gt', 5, 'five', false],
    ]);
  });

  it('section 4.12: everything else compares as text', async () => {
    await expectHolds([
      ['eq', 'a', 'a', true],
      ['eq', 'a', 'A', false],
      ['noteq', 'a', 'b', true],
      ['gt', '9', '10', false],
      ['lt', '\u{1f600}', '\uffee', true],
    ]);
    const by = (...ops: string[]) => ops.map((op) => ({ path: ['result', 'response'], val: '9', op }));
    const parts = { result: { response: '10' } };
    await client.expectFulfilled(parts, { hold: by('lt', 'lte', 'noteq'), fail: by('gt', 'gte', 'eq') });
  });

  it('section 4.13: `like` has % for any text and _ for one character, and is case-sensitive on every database', async () => {
    await expectHolds([
      ['like', 'bo%', 'bob', true],
      ['like', 'b_b', 'bob', true],
      ['like', 'b_', 'bob', false],
      ['like', '%o%', 'bob', true],
      ['like', 'BO%', 'bob', false],
      ['like', 'bob', 'BOB', false],
    ]);
  });

  it('section 4.14: `contains` looks for an equal element in the array at the path', async () => {
    await expectHolds([
      ['contains', 'b', ['a', 'b'], true],
      ['contains', 2, [1, 2], true],
      ['contains', 2, [1, '2'], true],
      ['contains', 'c', ['a', 'b'], false],
      ['contains', 'a', 'a', false],
      ['contains', 'a', [], false],
    ]);
    const sought = { condition: 'a', path: ['result', 'response'] };
    const path = ['object', 'definition', 'correctResponsesPattern'];
    const comparison = { path, op: 'contains', ref: sought };
    const definition = {
      ...{ type: 'http://adlnet.gov/expapi/activities/cmi.interaction', interactionType: 'choice' as const },
      ...{ choices: [{ id: 'a' }, { id: 'b' }], correctResponsesPattern: ['a', 'b'] },
    };
    const object = { objectType: 'Activity', id: `${extension}/choice`, definition } as const;
    await client.expectFulfilled({ object, result: { response: 'b' } }, { hold: [comparison] });
    await client.expectFulfilled({ object, result: { response: 'c' } }, { fail: [comparison] });
  });

  it('section 4.15: a comparison with a missing value is not true, `noteq` too, nor is `not` of it', async () => {
    const ops = ['eq', 'noteq', 'gt', 'gte', 'lt', 'lte', 'like', 'contains'];
    const ref = { condition: 'a', path: extensionPath };
    const comparisons = [
      ...ops.map((op) => ({ path: extensionPath, op, val: 'x' })),
      { path: ['result', 'response'], op: 'noteq', ref },
    ];
    const hold = comparisons.map((each) => ({ or: [each, client.isDone()] }));
    const fail = [...comparisons, ...comparisons.map((not) => ({ not }))];
    await client.expectFulfilled({ result: { response: 'x' } }, { hold, fail });
  });

  it('section 4.16: timestamp, stored, verb and registration compare with given values and with refs, timestamps as moments', async () => {
    const registration = randomUUID();
    const given = { timestamp: '2021-01-01T12:00:00+02:00', context: { registration } };
    const hold = [
      { path: ['timestamp'], op: 'eq', val: '2021-01-01T10:00:00.000Z' },
      { path: ['timestamp'], op: 'lt', val: '2021-01-01T11:00:00Z' },
      { path: ['stored'], op: 'gt', val: '2020-01-01T00:00:00Z' },
      { path: ['stored'], op: 'gte', ref: { condition: 'a', path: ['timestamp'] } },
      { path: ['verb', 'id'], op: 'like', val: `${client.verb}%` },
      { path: ['context', 'registration'], op: 'eq', val: registration.toUpperCase() },
      { path: ['context', 'registration'], op: 'noteq', val: randomUUID() },
    ];
    const fail = [
      { path: ['timestamp'], op: 'gt', val: 'yesterday' },
      { path: ['context', 'registration'], op: 'eq', val: 'no UUID' },
      { path: ['context', 'registration'], op: 'eq', val: randomUUID() },
    ];
    await client.expectFulfilled(given, { hold, fail });
    const ref = { condition: 'a', path: ['timestamp'] };
    const later = { and: [client.isAt('b'), { path: ['timestamp'], op: 'gt', ref }] };
    const reaction = await client.react({ conditions: { a: client.isAt('a'), b: later } });
    const at = (time: string) => ({ timestamp: `2021-01-01T${time}Z` });
    await client.post(client.at('a', given), client.at('b', at('09:59:00')));
    expect(await client.firings(reaction)).toEqual([]);
    const [id] = await client.post(client.at('b', at('10:00:01')));
    expect(await client.firings(reaction)).toMatchObject([{ triggerId: id }]);
  });

  it('section 7.9: false and null compare like other values', async () => {
    await expectHolds([
      ['eq', false, false, true],
      ['eq', false, true, false],
      ['noteq', false, true, true],
      ['eq', null, null, true],
      ['eq', null, 1, false],
      ['noteq', null, 1, true],
      ['noteq', null, null, false],
    ]);
    const failed = { path: ['result', 'success'], op: 'eq', val: false };
    await client.expectFulfilled({ result: { success: false } }, { hold: [failed] });
    await client.expectFulfilled({ result: { success: true } }, { fail: [failed] });
  });
}
