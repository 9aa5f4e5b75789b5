import { describe, expect, it } from 'vitest';
import { createAccountSchema, deleteAccountSchema, loginSchema } from '../../../lib/accounts/schema.ts';
import { InvalidError } from '../../../lib/errors.ts';
import { checked } from '../../../lib/schema.ts';
import { thrownBy } from '../../support/thrown.ts';

describe('the bodies of the account routes', () => {
  it('take two texts, as they are, and leave out members that are not known', () => {
    const body = { username: ' a ', password: 'b ', more: 1 };
    expect(checked(loginSchema, body)).toEqual({ username: ' a ', password: 'b ' });
    expect(checked(createAccountSchema, body)).toEqual({ username: ' a ', password: 'b ' });
  });

  it.each([
    [undefined],
    [null],
    [[]],
    ['text'],
    [1],
    [{}],
    [{ username: 'a' }],
    [{ username: 'a', password: '' }],
  ])('refuse %j', (body) => {
    expect(() => checked(loginSchema, body)).toThrow(InvalidError);
  });

  it('are refused with every mistake and without any value', () => {
    const error = thrownBy(() => checked(loginSchema, { username: '', password: { hidden: 'hidden' } }));
    expect(error).toMatchObject({
      details: [
        { path: 'username', message: 'is not allowed to be empty' },
        { path: 'password', message: 'must be a string' },
      ],
    });
    expect(String(error) + JSON.stringify(error)).not.toContain('hidden');
  });

  it('name the account to delete by a UUID of either case', () => {
    const id = '01908a54-1111-8222-8333-abcdefabcdef';
    expect(checked(deleteAccountSchema, { 'account-id': id.toUpperCase() })).toEqual({ 'account-id': id });
    for (const wrong of ['x', `{${id}}`, id.replaceAll('-', ''), `${id}0`, 7]) {
      expect(thrownBy(() => checked(deleteAccountSchema, { 'account-id': wrong }))).toBeInstanceOf(
        InvalidError,
      );
    }
  });
});
