import { describe, expect, it } from 'vitest';
import type { NearMissReason } from '../../../lib/reactions/service-types.ts';
import { operators } from '../../../lib/reactions/types.ts';
import { ApiError } from '../../../ui/src/api/errors.ts';
import {
  asKind,
  conditionKind,
  freeName,
  operatorsFor,
  withConditionNamed,
} from '../../../ui/src/screens/reactions/editor/conditions.ts';
import { notesAt, notesOf, notesWithin } from '../../../ui/src/screens/reactions/editor/notes.ts';
import { suggestedPaths } from '../../../ui/src/screens/reactions/editor/path-suggestions.ts';
import { reasonText } from '../../../ui/src/screens/reactions/editor/reason-text.ts';
import { refusalLeft } from '../../../ui/src/screens/reactions/editor/refusal.ts';
import { reactions as german } from '../../../ui/src/texts/de/reactions.ts';
import { reactions } from '../../../ui/src/texts/en/reactions.ts';
import { pathText, typedPath } from '../../../ui/src/xapi/property-path.ts';

const a = { path: ['verb', 'id'], op: 'eq', val: 'a' };
const b = { path: ['verb', 'id'], op: 'eq', val: 'b' };

describe('the kind of a condition', () => {
  it('is the first of and, or, not, as on the server', () => {
    expect(conditionKind({ or: [a], and: [b] })).toBe('and');
    expect(conditionKind({ not: a, ...b })).toBe('not');
    expect(conditionKind(a)).toBe('clause');
  });

  it.each([
    [a, 'and', { and: [a] }],
    [{ and: [a, b] }, 'or', { or: [a, b] }],
    [{ and: [a, b] }, 'not', { not: { and: [a, b] } }],
    [{ or: [a] }, 'not', { not: a }],
    [{ not: { or: [a, b] } }, 'and', { and: [{ not: { or: [a, b] } }] }],
    [{ not: { or: [a, b] } }, 'clause', a],
  ] as const)('can be changed: %j as %s', (condition, kind, result) => {
    expect(asKind(condition, kind)).toEqual(result);
  });
});

describe('the operators that are offered', () => {
  it('are those that fit the value', () => {
    expect(operatorsFor('number')).not.toContain('like');
    expect(operatorsFor('boolean')).toEqual(['eq', 'noteq']);
    expect(operatorsFor('array')).toEqual(['contains']);
    expect(operatorsFor('any')).toEqual(operators);
  });
});

describe('a condition that gets another name', () => {
  it('has it wherever it is referred to', () => {
    const ruleset = {
      conditions: { first: a, second: { ...b, ref: { condition: 'first', path: ['id'] } } },
      template: { actor: { $templatePath: ['first', 'actor'] }, verb: { id: 'first' } },
    };
    expect(withConditionNamed(ruleset, 'first', 'start')).toEqual({
      conditions: { start: a, second: { ...b, ref: { condition: 'start', path: ['id'] } } },
      template: { actor: { $templatePath: ['start', 'actor'] }, verb: { id: 'first' } },
    });
  });

  it('begins with one that no other has', () => {
    expect(freeName(['condition2'])).toBe('condition3');
  });
});

describe('what the server says about a place', () => {
  const notes = notesOf(
    [
      { path: '$.conditions["my quiz"].and[0].path[1]', message: 'm' },
      { path: 'body', message: 'n' },
    ],
    'error',
  );

  it('belongs to the place and to what it lies in', () => {
    expect(notesAt(notes, ['conditions', 'my quiz', 'and', 0, 'path', 1])).toHaveLength(1);
    expect(notesWithin(notes, ['conditions', 'my quiz', 'and', 0, 'path'])).toHaveLength(1);
    expect(notesWithin(notes, ['conditions', 'other'])).toEqual([]);
  });

  it('is about the whole where the place is none of the ruleset', () => {
    expect(notesAt(notes, []).map(({ message }) => message)).toEqual(['n']);
  });
});

describe('suggested paths', () => {
  const known = [{ path: ['result', 'extensions', 'https://x.org/e'], share: 1, example: '5', values: [5] }];
  const texts = (text: string, version: '1.0.3' | '2.0.0' = '2.0.0') =>
    suggestedPaths(text, known, { version, onlyValues: true }).map(({ path }) => pathText(path));

  it('are those of the xAPI and of stored statements that hold the text', () => {
    expect(texts('scal')).toContain('result.score.scaled');
    expect(texts('x.org')).toEqual(['result.extensions["https://x.org/e"]']);
    expect(texts('')[0]).toBe('verb.id');
  });

  it('are those of the version, and lead to values', () => {
    expect(texts('contextAgents')).toContain('context.contextAgents[0].agent.mbox');
    expect(texts('contextAgents', '1.0.3')).toEqual([]);
    expect(texts('score')).not.toContain('result.score');
  });
});

describe('a path while it is typed', () => {
  it.each([
    ['', []],
    ['result.', ['result']],
    ['object.definition.extensions[', ['object', 'definition', 'extensions']],
    ['a b', ['a b']],
  ])('%j means %j', (text, path) => {
    expect(typedPath(text)).toEqual(path);
  });
});

describe('why a statement nearly matches', () => {
  const within = (condition: object, reason: Partial<NearMissReason>) =>
    reasonText(
      { path: '$.conditions.a', op: 'eq', expected: '"b"', found: '"a"', ...reason },
      { ruleset: { conditions: { a: condition } }, texts: reactions },
    );

  it.each([
    ['by itself', a, '$.conditions.a', 'eq', 'Wanted: verb.id is "b". Found: "a".'],
    ['below and', { and: [a] }, '$.conditions.a.and[0]', 'eq', 'Wanted: verb.id is "b". Found: "a".'],
    ['below not', { not: a }, '$.conditions.a', 'not eq', 'Not wanted: verb.id is "b". Found: "a".'],
    [
      'below and below not',
      { not: { and: [a] } },
      '$.conditions.a.not.and[0]',
      'not eq',
      'Not wanted: verb.id is "b". Found: "a".',
    ],
    [
      'below not below or below not',
      { not: { or: [{ not: a }] } },
      '$.conditions.a.not.or[0].not',
      'eq',
      'Wanted: verb.id is "b". Found: "a".',
    ],
  ])('names the path in the statement of a comparison %s', (_, condition, path, op, text) => {
    expect(within(condition, { path, op })).toBe(text);
  });

  it('says that neither a comparison nor its opposite holds without a value', () => {
    expect(within({ not: a }, { op: 'not eq', found: null })).toBe(
      'verb.id is missing, so the opposite of “is "b"” does not hold either.',
    );
  });

  it('writes numbers as the language does, and shared values as paths', () => {
    const reason = { path: '$.conditions.a', op: 'gt', expected: '0.8', found: '"0.75"' };
    const source = { ruleset: { conditions: { a } }, texts: german };
    expect(reasonText(reason, source)).toBe(
      'Erwünscht: verb.id ist größer oder später als 0,8. Gefunden: "0.75".',
    );
    const expected = '["actor.mbox","context.registration"]';
    expect(within(a, { path: '$.identityPaths', op: 'identity', expected, found: null })).toBe(
      'It has none of the shared values: actor.mbox, context.registration.',
    );
  });

  it('says in words what a missing statement would need', () => {
    const expected = '{"actor.mbox":"mailto:ann@example.org","stored":{"lt":"2024-01-01T00:00:00Z"}}';
    expect(within(a, { op: 'partner', expected })).toBe(
      'Missing: a statement for the condition “a” with: actor.mbox is "mailto:ann@example.org"; stored is less or earlier than "2024-01-01T00:00:00Z".',
    );
    const ref = { ref: { condition: 'first', path: ['stored'] } };
    const unknown = JSON.stringify({ stored: { gt: ref }, timestamp: ref });
    expect(within(a, { op: 'partner', expected: unknown })).toContain(
      'with: stored is greater or later than stored of the statement for “first”; timestamp is stored of the statement for “first”.',
    );
    expect(within(a, { op: 'partner', expected: '{"actor.mb' })).toContain('with: {"actor.mb.');
  });
});

describe('a refusal', () => {
  const sent = {
    title: 'Quiz',
    active: true,
    ruleset: { identityPaths: [], conditions: { a: { ...a, op: 'eqq' } }, template: {} },
  };
  const details = [
    { path: '$.conditions.a.op', message: 'must be one of eq', rule: 'operator' },
    { path: 'title', message: 'is in use' },
  ];
  const refused = new ApiError(400, { error: 'Two mistakes.', code: 'invalid', details });

  it('lasts as long as the places that it names are as they were sent', () => {
    expect(refusalLeft(refused, sent, { ...sent, active: false })).toBe(refused);
    const corrected = { ...sent, ruleset: { ...sent.ruleset, conditions: { a } } };
    expect(refusalLeft(refused, sent, corrected)).toMatchObject({ details: [{ path: 'title' }] });
    expect(refusalLeft(refused, sent, { ...corrected, title: 'Other' })).toBeNull();
  });

  it('that names no place lasts until something changes', () => {
    const full = new ApiError(400, { error: 'There are 100 reactions.', code: 'invalid' });
    expect(refusalLeft(full, sent, { ...sent })).toBe(full);
    expect(refusalLeft(full, sent, { ...sent, active: false })).toBeNull();
  });

  it('is told apart from a failure, which lasts until the next attempt', () => {
    const failed = new ApiError(503, { error: 'Later.', code: 'unavailable' });
    expect(refusalLeft(failed, sent, { ...sent, active: false })).toBe(failed);
  });
});
