import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { parseJson, printJson } from '../../../lib/json/json.ts';
import { SharedTrees } from '../../../lib/json/shared-trees.ts';
import type { JsonObject } from '../../../lib/json/types.ts';
import { validateStatement } from '../../../lib/xapi/statement/validate.ts';
import { interner, parseItems } from '../../support/json-items.ts';

/** The tree of the one object in a text, as statements are read. */
function treeOf(text: string): JsonObject {
  const [item] = parseItems(Buffer.from(text)).items;
  return item?.value as JsonObject;
}

/** A text like that of a statement with these values, each as JSON. */
const textOf = (values: Readonly<Record<string, string>>): string =>
  `{"id":"${randomUUID()}","n":1,${Object.entries(values)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;

const somebody = (): string => JSON.stringify({ objectType: 'Agent', mbox: `mailto:${randomUUID()}@x.org` });

describe('a fragment', () => {
  it.each(['actor', 'verb', 'object', 'authority'])('is the same tree from the third time on: %s', (name) => {
    const value = somebody();
    const [first, second, third, fourth] = Array.from(
      { length: 4 },
      () => treeOf(textOf({ [name]: value }))[name],
    );
    expect(first).toStrictEqual(JSON.parse(value));
    expect(second).not.toBe(first);
    expect(third).toBe(second);
    expect(fourth).toBe(second);
    expect(Object.isFrozen(fourth)).toBe(true);
  });

  it.each(['instructor', 'team', 'contextActivities', 'contextAgents', 'contextGroups'])(
    'is found in the context, and wherever a statement of a batch has it: %s',
    (name) => {
      const value = somebody();
      const one = textOf({ context: `{"platform":"p","${name}":${value},"language":"en"}` });
      const { items } = parseItems(Buffer.from(`[${one},${one},${one}]`));
      const [, second, third] = Array.from(items, (item) => (item.value as JsonObject).context as JsonObject);
      expect(third?.[name]).toBe(second?.[name]);
      expect(third).toStrictEqual(JSON.parse(`{"platform":"p","${name}":${value},"language":"en"}`));
      expect(third).not.toBe(second);
    },
  );

  it('is nothing that only looks like one', () => {
    const value = somebody();
    const text = textOf({ result: value, 'act\\u006fr': value, extensions: `{"actor":${value}}` });
    for (let time = 0; time < 4; time += 1) {
      const tree = treeOf(text);
      expect(tree).toStrictEqual(JSON.parse(text));
      for (const part of Object.values(tree))
        if (typeof part === 'object') expect(interner.trees.isShared(part ?? {})).toBe(false);
    }
  });

  it.each([
    ['the last one counts', (value: string) => `{"a":1,"actor":${value},"actor":{"name":"other"}}`],
    [
      'in the context too',
      (value: string) => `{"a":1,"b":2,"context":{"team":${value},"team":{"name":"other"}}}`,
    ],
    ['in escapes too', (value: string) => `{"a":1,"actor":${value},"\\u0061ctor":{"name":"other"}}`],
    ['of contexts too', (value: string) => `{"a":1,"context":{"team":${value}},"context":{"x":2}}`],
  ])('does not take the place of a value of the same name: %s', (_, write) => {
    const value = somebody();
    for (let time = 0; time < 4; time += 1) {
      treeOf(textOf({ actor: value }));
      treeOf(textOf({ context: `{"team":${value}}` }));
      expect(treeOf(write(value))).toStrictEqual(JSON.parse(write(value)));
    }
  });

  it('that is refused is refused every time', () => {
    const text = textOf({ actor: '{"name":"\\u0000 and no more"}' });
    for (let time = 0; time < 4; time += 1) expect(() => treeOf(text)).toThrow(InvalidError);
  });

  it('that needs a closer look gets it every time', () => {
    const value = `{"name":"${randomUUID()} \\\\u0000"}`;
    const wrong = '{"id":"b","n":2,"actor":{"name":"\\u0000"}}';
    const text = textOf({ actor: value });
    for (let time = 0; time < 4; time += 1) expect(treeOf(text)).toStrictEqual(JSON.parse(text));
    const messages = Array.from({ length: 4 }, () => {
      try {
        const { items } = parseItems(Buffer.from(`[${text},${wrong}]`));
        return Array.from(items, (item) => item.value);
      } catch (error) {
        return error instanceof InvalidError ? error.message : error;
      }
    });
    expect(new Set(messages)).toEqual(
      new Set([expect.stringMatching(/^The JSON text contains the character U\+0000/)]),
    );
  });

  it('hides no mistake, neither its own nor one beside it', () => {
    const wrong = { name: randomUUID(), mbox: 'not a mailbox' };
    const right = { mbox: `mailto:${randomUUID()}@x.org` };
    const messages = [wrong, right].map((actor) =>
      Array.from({ length: 4 }, () => {
        const tree = treeOf(
          textOf({ actor: JSON.stringify(actor), verb: '{"id":"https://x.org/did","x":1}' }),
        );
        try {
          return validateStatement(tree, { version: '1.0.3', trees: interner.trees });
        } catch (error) {
          return error instanceof InvalidError ? error.details : error;
        }
      }),
    );
    for (const same of messages) expect(new Set(same.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(JSON.stringify(messages)).toMatch(/statement\.actor\.mbox.*statement\.verb\.x/);
  });

  it('makes no difference to what is read, whatever the text and whatever has come before', () => {
    const pool = [
      '{"name":"somebody","n":1}',
      '{"name":"ü\\u00fc \\"","list":[1,{}]}',
      '[{"id":"https://x.org/a/b/c"}]',
      '{"n":1.0,"text":"with a number"}',
      '"a text that is no object"',
      '{ "blank" : "s in between" }',
    ];
    const value = fc.constantFrom(...pool);
    const name = fc.constantFrom('actor', 'verb', 'object', 'a', 'context', 'act\\u006fr');
    const inner = fc.constantFrom('instructor', 'contextActivities', 'team', 'context', 'x');
    const members = (
      names: fc.Arbitrary<string>,
      values: fc.Arbitrary<string>,
      open: string,
      close: string,
    ) =>
      fc
        .array(fc.tuple(names, values), { minLength: 1, maxLength: 5 })
        .map((all) => open + all.map(([key, each]) => `"${key}":${each}`).join(',') + close);
    const context = members(inner, value, '{', '}');
    const list = context.map((each) => `["instructor",${each}]`);
    const object = members(name, fc.oneof(value, context, list), '{"i":1,"j":2,', '}');
    const damage = fc.tuple(
      fc.nat(),
      fc.nat(1),
      fc.constantFrom('', '', '', '{', '}', ']', ',', '"', ' ', '1'),
    );
    const outcome = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        if (error instanceof InvalidError) return error.message;
        throw error;
      }
    };
    fc.assert(
      fc.property(
        fc.array(object, { minLength: 1, maxLength: 3 }),
        damage,
        (objects, [place, removed, added]) => {
          const text = `[${objects.join(',')}]`;
          const at = place % text.length;
          const damaged = added === '' ? text : text.slice(0, at) + added + text.slice(at + removed);
          const read = outcome(() =>
            Array.from(parseItems(Buffer.from(damaged)).items, (item) => [
              item.value,
              printJson(item.source),
            ]),
          );
          const whole = outcome(() => {
            const { value: all, source } = parseJson(Buffer.from(damaged));
            if (!Array.isArray(all) || !Array.isArray(source)) return [[all, printJson(source)]];
            return all.map((each, index) => [each, printJson(source[index])]);
          });
          // Of two faults either may be named.
          const twoFaults = /\\u0000/.test(damaged) && typeof whole === 'string';
          if (twoFaults) expect(read).toBeTypeOf('string');
          else expect(read).toStrictEqual(whole);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('what is found out about a fragment', () => {
  it('is found out once of each part that is shared, and every time of others', () => {
    let calls = 0;
    const trees = new SharedTrees();
    const keys = (tree: object) => {
      calls += 1;
      return Object.keys(tree);
    };
    const namesOf = (tree: object) => trees.once(tree, keys);
    const tree = trees.share({ part: { a: 1 } });
    expect([namesOf(tree), namesOf(tree), namesOf(tree.part), namesOf(tree.part)]).toEqual([
      ['part'],
      ['part'],
      ['a'],
      ['a'],
    ]);
    expect(calls).toBe(2);
    const other = { b: 1 };
    namesOf(other);
    namesOf(other);
    expect(calls).toBe(4);
  });
});
