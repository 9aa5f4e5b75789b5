import { expect, it } from 'vitest';
import { firstSentences } from '../../../ui/src/screens/reactions/first-sentences.ts';

it.each([
  ['One. Two.', 20, 'One. Two.'],
  ['One is here. Two is there.', 20, 'One is here.'],
  ['Narrow it, e.g. by verb. Or not.', 26, 'Narrow it, e.g. by verb.'],
  ['One that is too long by itself.', 12, 'One that is…'],
  ['https://example.org/without-a-space', 10, 'https://ex…'],
  ['', 10, ''],
])('of the message "%s", %i characters hold "%s"', (message, longest, shown) => {
  expect(firstSentences(message, longest)).toBe(shown);
});
