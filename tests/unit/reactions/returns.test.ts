import { expect, it } from 'vitest';
import { Returns } from '../../../lib/reactions/engine/returns.ts';

it('what is known of slow reactions is forgotten when they are active no more', () => {
  const returns = new Returns();
  const [kept, gone] = [
    { id: 'kept', version: 1 },
    { id: 'gone', version: 1 },
  ];
  const before = [kept, gone].map((each) => returns.sharesOf(each));
  expect([kept, gone].map((each) => returns.sharesOf(each))).toEqual(before);
  returns.forgetOthers(new Set(['kept', 'new']));
  expect(returns.sharesOf(kept)).toBe(before[0]);
  expect(returns.sharesOf(gone)).not.toBe(before[1]);
});
