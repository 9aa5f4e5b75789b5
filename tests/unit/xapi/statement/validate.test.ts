import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../../lib/errors.ts';
import type { Json } from '../../../../lib/json/types.ts';
import { validateStatement } from '../../../../lib/xapi/statement/validate.ts';
import { altered } from '../../../support/altered.ts';
import { fullStatement, smallStatement } from '../../../support/full-statement.ts';
import { clientPath, problems, versions } from '../../../support/problems.ts';

/** The path of every property and element of the tree that is not inside extensions. */
function places(tree: Json, path = ''): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([step, below]) => {
    const place = path === '' ? step : `${path}.${step}`;
    return step === 'extensions' ? [place] : [place, ...places(below, place)];
  });
}

function at(tree: Json, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((node, step) => Object(node)[step], tree);
}

function messageOf(statement: Json, path?: string): string {
  try {
    validateStatement(statement, { version: '1.0.3', ...(path !== undefined && { path }) });
    return '';
  } catch (error) {
    return error instanceof InvalidError ? error.message : String(error);
  }
}

describe('validateStatement', () => {
  it.each(versions)('returns the very statement that it was given, unchanged (%s)', (version) => {
    for (const statement of [smallStatement, fullStatement(version)]) {
      const before = structuredClone(statement);
      expect(validateStatement(statement, { version })).toBe(statement);
      expect(statement).toEqual(before);
    }
  });

  it('says in one sentence where which rule of which section is broken', () => {
    const broken = altered(smallStatement, 'actor.mbox', 'ann@example.org');
    const sentence =
      '.actor.mbox must be a mailto IRI such as mailto:ann@example.org, not the string "ann@example.org" (xAPI 1.0.3 Data 2.4.2.3).';
    expect(messageOf(broken)).toBe(`statement${sentence}`);
    expect(messageOf(broken, 'statements[3]')).toBe(`statements[3]${sentence}`);
  });

  it('reports every problem at once, in the order of the statement', () => {
    const broken = { ...Object(smallStatement), verb: { display: { x: 'y' } }, Result: {}, timestamp: 'now' };
    expect(problems(broken).map(({ path }) => path)).toEqual([
      'statement.verb.display.x',
      'statement.verb.id',
      'statement.Result',
      'statement.timestamp',
    ]);
  });

  it('stops after twenty problems', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`x${index}`, index]));
    expect(problems({ ...Object(smallStatement), ...many })).toHaveLength(20);
  });

  it('cuts what the client sent to a readable length', () => {
    const long = 'x'.repeat(1_000_000);
    for (const path of ['id', long, 'verb.id', `verb.display.${long}`, `result.extensions.${long} ${long}`]) {
      expect(messageOf(altered(smallStatement, path, long)).length).toBeLessThan(500);
    }
  });

  it.each([
    ['Actor', 'did you mean "actor"? (upper and lower case matter)'],
    ['contxt', 'did you mean "context"?'],
    ['time_stamp', 'did you mean "timestamp"?'],
    ['attachment', 'did you mean "attachments"?'],
    ['extensions', 'is not a property of a Statement'],
  ])('suggests what was meant by %s', (key, hint) => {
    const [first] = problems({ ...Object(smallStatement), [key]: {} });
    expect(first?.message.endsWith(hint)).toBe(true);
  });

  it.each<[string, Json]>([
    ['null', null],
    ['true', true],
    ['a number', 5],
    ['text', 'statement'],
    ['an array', [smallStatement]],
  ])('refuses %s in place of a statement', (_, value) => {
    expect(problems(value)).toMatchObject([
      { path: 'statement', message: expect.stringMatching(/^must be a Statement/) },
    ]);
  });

  describe.each(versions)('a full statement of %s', (version) => {
    const statement = fullStatement(version);
    const all = places(statement);

    it('is walked through entirely', () => {
      expect(all.length).toBeGreaterThan(200);
    });

    it('is refused with null anywhere outside extensions, at that place (xAPI 1.0.3 Data 2.2)', () => {
      for (const place of all) {
        const [first] = problems(altered(statement, place, null), version);
        expect(first?.path, place).toBe(clientPath(place));
        expect(first?.message, place).toContain('null');
      }
    });

    it('is refused with a value of another type anywhere outside extensions, at that place (xAPI 1.0.3 Data 2.2)', () => {
      for (const place of all) {
        const present = at(statement, place);
        const wrong: Json[] = [
          typeof present === 'number' ? '5' : 5,
          typeof present === 'boolean' ? 'true' : true,
        ];
        if (typeof present === 'object') wrong.push('text');
        else wrong.push({}, []);
        for (const value of wrong) {
          const [first] = problems(altered(statement, place, value), version);
          expect(first?.path, `${place} = ${JSON.stringify(value)}`).toBe(clientPath(place));
        }
      }
    });

    it('is refused with a property more anywhere outside extensions and language maps, at that place (xAPI 1.0.3 Data 2.2)', () => {
      const objects = all.filter((place) => {
        const value = at(statement, place);
        const free = /(?:extensions|display|name|description)$/.test(place);
        return typeof value === 'object' && !Array.isArray(value) && !free;
      });
      for (const place of ['', ...objects.map((object) => `${object}.`)]) {
        const [first] = problems(altered(statement, `${place}unknown`, 'x'), version);
        expect(first, place).toMatchObject({
          path: clientPath(`${place}unknown`),
          message: expect.stringContaining('is not a property'),
        });
      }
    });

    it('is refused with any key in another case, at that place (xAPI 1.0.3 Data 2.2)', () => {
      for (const place of all) {
        const key = place.split('.').at(-1) ?? '';
        const language = /(?:display|name|description)\.[^.]+$/.test(place);
        if (/^\d+$/.test(key) || language) continue;
        const renamed = place.slice(0, -key.length) + (key[0] ?? '').toUpperCase() + key.slice(1);
        const found = problems(altered(altered(statement, place), renamed, at(statement, place)), version);
        expect(
          found.map(({ path }) => path),
          place,
        ).toContain(clientPath(renamed));
      }
    });
  });

  it.each([
    'actor',
    'verb',
    'verb.id',
    'object',
    'object.objectType',
    'object.actor',
    'object.verb',
    'object.verb.id',
    'object.object',
    'object.object.id',
    'object.object.definition.interactionType',
    'object.object.definition.choices.0.id',
    'object.attachments.0.sha2',
    'attachments.0.usageType',
    'attachments.0.display',
    'attachments.0.contentType',
    'attachments.0.length',
    'attachments.0.sha2',
    'actor.account.homePage',
    'actor.account.name',
    'context.team.objectType',
    'context.statement.objectType',
    'context.statement.id',
    'context.contextAgents.0.objectType',
    'context.contextAgents.0.agent',
    'context.contextGroups.0.objectType',
    'context.contextGroups.0.group',
    'context.contextGroups.0.group.objectType',
  ])('requires %s', (place) => {
    const found = problems(altered(fullStatement('2.0.0'), place), '2.0.0');
    expect(found.map(({ path }) => path)).toContain(clientPath(place));
  });

  it('never throws anything but an InvalidError, whatever the JSON', () => {
    const keys = [...new Set(places(fullStatement('2.0.0')).flatMap((place) => place.split('.')))];
    const texts = fc.oneof(
      fc.constantFrom(
        'Agent',
        'Group',
        'Activity',
        'StatementRef',
        'SubStatement',
        'choice',
        'a:b',
        'mailto:a@b',
        'en',
      ),
      fc.string(),
    );
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        texts,
        fc.constantFrom<Json>(null, true, 0, 0.5, -2),
        fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), tie('tree'), { maxKeys: 6 }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(
        tree,
        fc.constantFrom(...places(fullStatement('2.0.0'))),
        fc.constantFrom(...versions),
        (json, place, version) => {
          expect(problems(json, version).length).toBeLessThanOrEqual(20);
          problems(altered(fullStatement('2.0.0'), place, json), version);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('names a section of the version with each problem, and else returns the statement', () => {
    const full = fullStatement('1.0.3');
    fc.assert(
      fc.property(fc.constantFrom(...places(full)), fc.jsonValue(), (place, json) => {
        const changed = altered(full, place, JSON.parse(JSON.stringify(json)));
        const first = problems(changed)[0];
        if (first === undefined) expect(validateStatement(changed, { version: '1.0.3' })).toBe(changed);
        else expect(first.section).toMatch(/^xAPI 1\.0\.3 Data /);
      }),
      { numRuns: 1000 },
    );
  });
});
