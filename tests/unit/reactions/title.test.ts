import { describe, expect, it } from 'vitest';
import { titleOf } from '../../../lib/reactions/title.ts';

const titleFor = (name: string): string =>
  titleOf({ conditions: { [name]: {} }, template: { verb: { id: 'https://example.org/verbs/made' } } });

describe('the title of a reaction that is given none', () => {
  it('names the verb and the conditions', () => {
    expect(titleFor('quiz')).toBe('made when quiz');
  });

  it.each([
    ['a name holds half of a surrogate pair', 'a \ud800 b'],
    ['a surrogate pair is at its end', '😀'.repeat(60)],
    ['a surrogate pair is at its end, one place further', `x${'😀'.repeat(60)}`],
  ])('is well-formed where %s', (_, name) => {
    expect(titleFor(name).isWellFormed()).toBe(true);
  });
});
