import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activitiesOf, mergeAllDefinitions, mergeDefinitions } from '../../../lib/xapi/activity.ts';
import type { ActivityDefinition } from '../../../lib/xapi/types.ts';

const x = 'http://x.org/x';
const y = 'http://x.org/y';

const choice: ActivityDefinition = {
  interactionType: 'choice',
  correctResponsesPattern: ['a'],
  choices: [{ id: 'a', description: { en: 'A' } }],
};

describe('names that objects have a meaning for', () => {
  it('are merged like others', () => {
    const names = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', x);
    const values = fc.dictionary(names, fc.jsonValue({ maxDepth: 1 })).map((members) => ownMembers(members));
    fc.assert(
      fc.property(fc.array(values, { minLength: 1 }), (all) => {
        const definitions = all.map((extensions) => JSON.parse(JSON.stringify({ extensions })));
        const expected = new Map(all.flatMap((extensions) => Object.entries(extensions)));
        const { extensions = {} } = mergeAllDefinitions(definitions);
        expect(Object.getPrototypeOf(extensions)).toBe(Object.prototype);
        expect(sortedEntries(extensions)).toEqual(sortedEntries(Object.fromEntries(expected)));
      }),
    );
  });
});

const ownMembers = (members: object): object => Object.fromEntries(Object.entries(members));
const sortedEntries = (members: object): string[] =>
  Object.entries(members)
    .map((entry) => JSON.stringify(entry))
    .sort();

describe('mergeDefinitions (xAPI 1.0.3 Communication 2.5)', () => {
  it.each<[string, ActivityDefinition, ActivityDefinition, ActivityDefinition]>([
    ['keeps what only one of them says', { type: x }, { moreInfo: y }, { type: x, moreInfo: y }],
    ['takes the newer type', { type: x }, { type: y }, { type: y }],
    ['takes the newer moreInfo', { moreInfo: x }, { moreInfo: y }, { moreInfo: y }],
    [
      'takes the newer text of each language of the name',
      { name: { en: 'old', fr: 'vieux' } },
      { name: { en: 'new', de: 'neu' } },
      { name: { en: 'new', fr: 'vieux', de: 'neu' } },
    ],
    [
      'takes the newer text of each language of the description',
      { description: { en: 'old', fr: 'vieux' } },
      { description: { en: 'new' } },
      { description: { en: 'new', fr: 'vieux' } },
    ],
    [
      'takes the newer value of each extension, whole',
      { extensions: { [x]: { a: 1, b: 2 }, [y]: 1 } },
      { extensions: { [x]: { a: 3 } } },
      { extensions: { [x]: { a: 3 }, [y]: 1 } },
    ],
    ['keeps the interaction when the newer one has none', choice, { type: x }, { ...choice, type: x }],
    [
      'takes the newer interaction as a whole, whatever it leaves out',
      { ...choice, type: x },
      { interactionType: 'true-false' },
      { type: x, interactionType: 'true-false' },
    ],
    [
      'takes the newer choices without the older pattern, and does not mix their languages',
      choice,
      { choices: [{ id: 'a', description: { de: 'A' } }] },
      { choices: [{ id: 'a', description: { de: 'A' } }] },
    ],
    [
      'replaces each kind of component list',
      { scale: [{ id: 's' }], source: [{ id: 'q' }], target: [{ id: 't' }], steps: [{ id: 'p' }] },
      { correctResponsesPattern: [] },
      { correctResponsesPattern: [] },
    ],
  ])('%s', (_, older, newer, merged) => {
    const before = structuredClone({ older, newer });
    expect(mergeDefinitions(older, newer)).toStrictEqual(merged);
    expect({ older, newer }).toStrictEqual(before);
  });

  const text = fc.constantFrom('a', 'b', 'c');
  const map = fc.dictionary(fc.constantFrom('en', 'de', 'fr'), text, { maxKeys: 3 });
  const definition: fc.Arbitrary<ActivityDefinition> = fc.record(
    {
      name: map,
      description: map,
      type: text,
      moreInfo: text,
      extensions: map,
      interactionType: text,
      correctResponsesPattern: fc.array(text, { maxLength: 2 }),
      choices: fc.array(fc.record({ id: text }), { maxLength: 2 }),
      steps: fc.array(fc.record({ id: text }), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );

  it('gives the same text in whatever groups a sequence is merged', () => {
    fc.assert(
      fc.property(definition, definition, definition, (first, second, third) => {
        const fromTheFront = mergeDefinitions(mergeDefinitions(first, second), third);
        const fromTheBack = mergeDefinitions(first, mergeDefinitions(second, third));
        expect(JSON.stringify(fromTheFront)).toBe(JSON.stringify(fromTheBack));
      }),
    );
  });

  it('merges many at once as one after another, and reads each once', () => {
    let reads = 0;
    const counted = (index: number) =>
      new Proxy(
        { extensions: { [`http://x.org/${index}`]: index }, name: { en: `${index}` } },
        {
          ownKeys(target) {
            reads += 1;
            return Reflect.ownKeys(target);
          },
        },
      );
    const many = Array.from({ length: 500 }, (_, index) => counted(index));
    const merged = mergeAllDefinitions(many);
    expect(reads).toBe(500);
    expect(merged).toStrictEqual(many.reduce<ActivityDefinition>(mergeDefinitions, {}));
    expect(Object.keys(merged.extensions ?? {})).toHaveLength(500);
  });

  it('changes nothing when the newer one has already been merged last', () => {
    fc.assert(
      fc.property(definition, definition, (older, newer) => {
        const merged = mergeDefinitions(older, newer);
        expect(JSON.stringify(mergeDefinitions(merged, newer))).toBe(JSON.stringify(merged));
      }),
    );
  });
});

describe('activitiesOf', () => {
  it('takes a list, a single Activity and nothing (xAPI 1.0.3 Data 2.4.6.2)', () => {
    expect([activitiesOf([{ id: x }, { id: y }]), activitiesOf({ id: x }), activitiesOf(undefined)]).toEqual([
      [{ id: x }, { id: y }],
      [{ id: x }],
      [],
    ]);
  });
});
