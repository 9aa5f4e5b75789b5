import {
  changePasswordSchema,
  createAccountSchema,
  deleteAccountSchema,
  loginSchema,
  resetPasswordSchema,
} from '../../accounts/schema.ts';
import { accounts, json, newPassword, placeholders } from '../examples.ts';
import { jsonSchemaOf } from '../schema.ts';
import type { Operation } from '../types.ts';
import { accountSchema, answerOf, idSchema, listOf, objectOf } from './answers.ts';

const tag = 'Accounts';

const { accountId, operatorId, token, renewedToken, operatorToken } = placeholders;

const accountIdAnswer = objectOf({ 'account-id': idSchema });
const tokenAnswer = objectOf({
  'account-id': idSchema,
  'json-web-token': { type: 'string', description: 'The token for `Authorization: Bearer`.' },
});

/** Accounts of the administration, their passwords and tokens. */
export const accountOperations = {
  login: {
    tag,
    summary: 'Log in',
    description: 'Too many wrong passwords are answered with 429 for a while.',
    body: { 'application/json': jsonSchemaOf(loginSchema) },
    answers: { 200: answerOf('A new token.', tokenAnswer) },
    errors: ['invalid', 'unauthenticated', 'too-many-requests'],
    examples: {
      login: {
        summary: 'The right password',
        body: json(accounts.first),
        status: 200,
        answer: json({ 'account-id': accountId, 'json-web-token': token }),
      },
    },
  },
  logout: {
    tag,
    summary: 'Log out',
    description: 'Revokes all unexpired tokens of the account. 400 when `jwtNoVal` is on.',
    body: { 'application/json': { type: 'object' } },
    bodyOptional: true,
    answers: { 200: answerOf('The account that is logged out.', accountIdAnswer) },
    examples: {
      logout: {
        summary: 'An empty object, or no body at all',
        body: json({}),
        status: 200,
        answer: json({ 'account-id': accountId }),
      },
    },
  },
  renewToken: {
    tag,
    summary: 'Get a new token for the same login',
    description: 'Possible until `jwtRefreshExpTime` seconds after the login, then 401.',
    answers: { 200: answerOf('A new token.', tokenAnswer) },
    examples: {
      renew: {
        summary: 'A token that can still be renewed',
        status: 200,
        answer: json({ 'account-id': accountId, 'json-web-token': renewedToken }),
      },
    },
  },
  createAccount: {
    tag,
    summary: 'Create an account',
    description:
      'A name has at least 7 characters; a password at least 10, with a lower case letter, an upper case letter, a digit and one of `!@#$%^&*_-+=?`. All broken rules are named at once.',
    body: { 'application/json': jsonSchemaOf(createAccountSchema) },
    answers: { 200: answerOf('The new account, with a token for it.', tokenAnswer) },
    errors: ['conflict'],
    examples: {
      create: {
        summary: 'A second account',
        body: json(accounts.operator),
        status: 200,
        answer: json({ 'account-id': operatorId, 'json-web-token': operatorToken }),
      },
      weak: {
        summary: 'A password that breaks two rules',
        body: json({ username: 'operator2', password: 'abcdefgH!' }),
        status: 400,
        answer: json({
          error: 'password must have at least 10 characters; password must contain a digit (0-9)',
          code: 'invalid',
          details: [
            { path: 'password', message: 'must have at least 10 characters' },
            { path: 'password', message: 'must contain a digit (0-9)' },
          ],
        }),
      },
    },
  },
  listAccounts: {
    tag,
    summary: 'List all accounts',
    answers: { 200: answerOf('All accounts.', listOf(accountSchema)) },
    examples: {
      list: {
        summary: 'Two accounts',
        status: 200,
        answer: json([
          { 'account-id': operatorId, username: accounts.operator.username },
          { 'account-id': accountId, username: accounts.first.username },
        ]),
      },
    },
  },
  deleteAccount: {
    tag,
    summary: 'Delete an account',
    description: 'Its key pairs go with it. The only account stays: 400.',
    body: { 'application/json': jsonSchemaOf(deleteAccountSchema) },
    answers: { 200: answerOf('The account that is gone.', accountIdAnswer) },
    errors: ['not-found'],
    examples: {
      delete: {
        summary: 'One of two accounts',
        body: json({ 'account-id': operatorId }),
        status: 200,
        answer: json({ 'account-id': operatorId }),
      },
    },
  },
  changePassword: {
    tag,
    summary: 'Change the own password',
    description: 'Revokes the other tokens of the account. 401 when the old password is wrong.',
    body: { 'application/json': jsonSchemaOf(changePasswordSchema) },
    answers: { 200: answerOf('The account whose password is changed.', accountIdAnswer) },
    errors: ['too-many-requests'],
    examples: {
      change: {
        summary: 'The old password is right',
        body: json({ 'old-password': accounts.first.password, 'new-password': newPassword }),
        status: 200,
        answer: json({ 'account-id': accountId }),
      },
    },
  },
  resetPassword: {
    tag,
    summary: 'Set the password of another account',
    description:
      'For an account whose password is lost, or that was imported without one. Revokes all tokens of the account. 400 for the own account, and for one that logs in elsewhere.',
    body: { 'application/json': jsonSchemaOf(resetPasswordSchema) },
    answers: { 200: answerOf('The account that has the new password.', accountIdAnswer) },
    errors: ['not-found'],
    examples: {
      reset: {
        summary: 'The second account',
        body: json({ 'account-id': operatorId, 'new-password': newPassword }),
        status: 200,
        answer: json({ 'account-id': operatorId }),
      },
    },
  },
  getMe: {
    tag,
    summary: 'Show the account that is logged in',
    answers: { 200: answerOf('The account of the token.', accountSchema) },
    examples: {
      me: {
        summary: 'A good token',
        status: 200,
        answer: json({ 'account-id': accountId, username: accounts.first.username }),
      },
    },
  },
  verifyLogin: {
    tag,
    summary: 'Check a token',
    answers: { 204: { description: 'The token is good.' } },
    examples: { verify: { summary: 'A good token', status: 204 } },
  },
} as const satisfies Readonly<Record<string, Operation>>;
