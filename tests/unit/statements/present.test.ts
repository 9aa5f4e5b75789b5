import { describe, expect, it } from 'vitest';
import { moreLink, newest, resultText } from '../../../lib/statements/present.ts';

const page = (positions: number[]) => ({
  statements: positions.map((position) => ({ position, text: `{"n":1.0,"p":${position}}` })),
  attachments: [],
});

describe('a StatementResult (xAPI 1.0.3 Data 2.5)', () => {
  it('joins the stored texts as they are', () => {
    expect(resultText(page([2, 1]), '/xapi/statements?from=1')).toBe(
      '{"statements":[{"n":1.0,"p":2},{"n":1.0,"p":1}],"more":"/xapi/statements?from=1"}',
    );
    expect(resultText(page([]), '')).toBe('{"statements":[],"more":""}');
  });
});

describe('the more link', () => {
  it('is the called path with the parameters of the request, the effective limit and the cursor', () => {
    const query = new URLSearchParams('verb=http%3A%2F%2Fexample.org%2Fv&limit=0&from=9');
    expect(moreLink('/dev/xapi/statements', query, { limit: 50, next: 7 })).toBe(
      '/dev/xapi/statements?verb=http%3A%2F%2Fexample.org%2Fv&limit=50&from=7',
    );
  });

  it('is empty on the last page', () => {
    expect(moreLink('/xapi/statements', new URLSearchParams(), { limit: 50, next: undefined })).toBe('');
  });
});

it('the newest position of a page is found in either order', () => {
  expect(newest(page([1, 3]))).toBe(3);
  expect(newest(page([3, 1]))).toBe(3);
  expect(newest(page([]))).toBeUndefined();
});
