import { describe, expect, it } from 'vitest';
import { brokenRules } from '../../../lib/accounts/rules.ts';

describe('the rules for accounts', () => {
  it.each([...'!@#$%^&*_-+=?'])('accept %s as the special character of a password', (special) => {
    expect(brokenRules('someadmin', `Abcdefgh1${special}`)).toEqual([]);
  });

  it.each([
    ['Abcdefgh1~', 'must contain one of !@#$%^&*_-+=?'],
    ['Abcdefg1!', 'must have at least 10 characters'],
    ['ABCDEFGH1!', 'must contain a lower case letter (a-z)'],
    ['abcdefgh1!', 'must contain an upper case letter (A-Z)'],
    ['Abcdefghi!', 'must contain a digit (0-9)'],
  ])('refuse the password %s', (password, message) => {
    expect(brokenRules('someadmin', password)).toEqual([{ path: 'password', message }]);
  });

  it('count characters, not the units they are stored in', () => {
    expect(brokenRules('😀😀😀😀😀😀', 'Abcdefgh1!')).toHaveLength(1);
    expect(brokenRules('😀😀😀😀😀😀😀', 'Abcdefgh1!')).toEqual([]);
  });
});
