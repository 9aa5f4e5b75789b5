import { expect, it } from 'vitest';
import { noteText } from '../../../ui/src/screens/reactions/editor/note-text.ts';
import { de } from '../../../ui/src/texts/de.ts';
import { en } from '../../../ui/src/texts/en.ts';

const clause = { path: ['verb', 'id'], op: 'eq', val: 'https://example.org/verbs/a' };
const ruleset = { conditions: { a: { and: [clause, { ...clause, val: 'https://example.org/verbs/b' }] } } };
const second = ['conditions', 'a', 'and', 1, 'val'];

it.each([
  [en, 'Another comparison demands a different value of verb.id'],
  [de, 'Ein anderer Vergleich verlangt von verb.id einen anderen Wert'],
])('of comparisons that contradict each other, the text names the place', ({ reactions: texts }, begin) => {
  const note = { path: second, rule: 'contradiction' };
  expect(noteText(note, { ruleset, version: '1.0.3', texts })).toContain(begin);
});

it.each([
  [en, /limit/],
  [de, /Grenze/],
])('of mistakes that are not listed, the text speaks of no limit', ({ reactions: texts }, limit) => {
  const source = { ruleset, version: '1.0.3', texts } as const;
  expect(noteText({ path: [], rule: 'unlisted' }, source)).not.toMatch(limit);
  expect(noteText({ path: [], rule: 'limit' }, source)).toMatch(limit);
});

it.each([
  [en, '“AND” is unknown'],
  [de, '„AND“ ist unbekannt'],
])('of a member that is unknown, the text names it', ({ reactions: texts }, begin) => {
  const source = { ruleset, version: '1.0.3', texts } as const;
  expect(noteText({ path: ['conditions', 'a', 'AND'], rule: 'unknown-member' }, source)).toContain(begin);
});

it.each([en, de])('a range of times that look the same is named by one time', ({ reactions: texts }) => {
  for (const text of [texts.missedText, texts.replayRange]) {
    expect(text('12:00:00', '12:00:00').match(/12:00:00/g)).toHaveLength(1);
    expect(text('12:00:00', '12:00:01')).toMatch(/12:00:00.*12:00:01/);
  }
});
