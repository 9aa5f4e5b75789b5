import { describe, expect, it } from 'vitest';
import type { Json } from '../../../lib/json/types.ts';
import { compileRuleset } from '../../../lib/reactions/match/compiled.ts';
import { heldBy } from '../../../lib/reactions/match/match.ts';
import { type Participant, participant } from '../../../lib/reactions/match/participant.ts';
import { Explainer } from '../../../lib/reactions/preview/near-misses.ts';
import { parseRuleset } from '../../../lib/reactions/ruleset/parse.ts';
import { statement } from '../../support/statements.ts';

const extension = 'https://example.org/extension';
const values = ['result', 'extensions', extension];
const response = ['result', 'response'];
const id = '6f1d2b5e-3c4a-4f0e-9a77-1d2c3b4a5f60';
const own = (path: string[]) => ({ condition: 'a', path });

const or = (clause: Json, count: number) => ({ or: Array<Json>(count).fill(clause) });

const compiled = (clause: Json, count: number) => compiledConditions({ a: or(clause, count) });

function compiledConditions(conditions: Readonly<Record<string, Json>>) {
  const check = parseRuleset({ identityPaths: [], conditions, template: {} }, '1.0.3');
  if ('problems' in check) throw new Error(JSON.stringify(check.problems));
  return compileRuleset(check.ruleset);
}

function trigger(result: object): Participant {
  return participant({
    position: 1,
    text: JSON.stringify(statement({ id, result, timestamp: '2021-01-01T00:00:00Z' })),
  });
}

const items = (item: (index: number) => Json) => ({
  extensions: { [extension]: Array.from({ length: 100_000 }, (_, index) => item(index)) },
});

/** Comparisons that take long, and the statement with which they do. */
const costly: readonly (readonly [string, Json, Participant])[] = [
  [
    'patterns',
    { path: response, op: 'like', val: `%${'a'.repeat(200)}b%` },
    trigger({ response: 'a'.repeat(60_000) }),
  ],
  ['numbers', { path: values, op: 'contains', val: 0.5 }, trigger(items((index) => String(index + 1)))],
  [
    'moments',
    { path: values, op: 'contains', ref: own(['timestamp']) },
    trigger(items((index) => `2020-01-01T00:00:00.${index}Z`)),
  ],
  [
    'long texts',
    { path: response, op: 'gt', ref: own(response) },
    trigger({ response: 'a'.repeat(1_000_000) }),
  ],
  [
    'texts whose case does not count',
    { path: ['id'], op: 'eq', ref: own(response) },
    trigger({ response: 'İ'.repeat(1_000_000) }),
  ],
  [
    'patterns of another statement',
    { path: ['object', 'id'], op: 'like', ref: own(response) },
    trigger({ response: '%a'.repeat(128) }),
  ],
  ...[0, true, 'a', null, {}, []].map(
    (member) =>
      [
        `lists of ${JSON.stringify(member)}`,
        { path: values, op: 'contains', val: 'b' },
        trigger(items(() => member)),
      ] as const,
  ),
];

describe('the steps of one evaluation', () => {
  it.each(costly)('are limited where 200 comparisons are about %s', (_, clause, statement) => {
    const many = compiled(clause, 200);
    expect(() => heldBy(many, statement)).toThrow('too many steps');
    expect(() => new Explainer(many).explain(statement)).toThrow('too many steps');
  });

  it.each([0, 0.5, true, 'a', null, {}, []])(
    'suffice for 200 comparisons of 10,000 members that are %j with a text',
    (member) => {
      const list = { extensions: { [extension]: Array(10_000).fill(member) } };
      expect(
        heldBy(compiled({ path: values, op: 'contains', val: 'b' }, 200), trigger(list)),
      ).toBeUndefined();
    },
  );

  it('are counted once for what is sought in a list', () => {
    const list = { response: 'b'.repeat(1_000_000), extensions: { [extension]: Array(10_000).fill('a') } };
    const one = compiled({ path: values, op: 'contains', ref: own(response) }, 1);
    expect(heldBy(one, trigger(list))).toBeUndefined();
  });

  it('are limited where 200 comparisons are about two texts in turn', () => {
    const clause = { or: [response, values].map((path) => ({ path, op: 'like', val: 'b%' })) };
    const texts = { response: 'a'.repeat(60_000), extensions: { [extension]: 'c'.repeat(60_000) } };
    expect(() => heldBy(compiled(clause, 100), trigger(texts))).toThrow('too many steps');
    expect(heldBy(compiled(clause, 5), trigger(texts))).toBeUndefined();
  });

  it('are shared by all conditions', () => {
    const clause = { path: response, op: 'like', val: `%${'a'.repeat(200)}b%` };
    const long = trigger({ response: 'a'.repeat(60_000) });
    const conditions = (count: number) =>
      compiledConditions(
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, or(clause, 4)])),
      );
    expect(heldBy(conditions(1), long)).toBeUndefined();
    expect(() => heldBy(conditions(10), long)).toThrow('too many steps');
    expect(() => new Explainer(conditions(10)).explain(long)).toThrow('too many steps');
  });

  it('suffice for the longest pattern with the longest text', () => {
    const one = compiled({ path: response, op: 'like', val: `%${'a'.repeat(253)}b%` }, 1);
    expect(heldBy(one, trigger({ response: 'a'.repeat(65_536) }))).toBeUndefined();
  });

  it('are counted for each evaluation alone', () => {
    const one = compiled({ path: response, op: 'like', val: `%${'a'.repeat(200)}b%` }, 1);
    const long = trigger({ response: 'a'.repeat(60_000) });
    for (let count = 0; count < 5; count++) expect(heldBy(one, long)).toBeUndefined();
  });
});
