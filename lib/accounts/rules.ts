import type { ErrorDetail } from '../errors.ts';

/** What a name or password has to fulfil; the web screen shows the rules, too, and has a text of its own for each name. */
export interface Rule<Name extends string = string> {
  readonly name: Name;
  readonly holds: (text: string) => boolean;
  readonly message: string;
}

const length = (text: string): number => [...text].length;

/**
 * A name is free text of 7 to 255 characters: the service specification has the minimum ("Limits"), the maximum is the
 * column's. lrsql permits letters and digits only; names such as e-mail addresses are welcome here.
 */
export const usernameRules = [
  { name: 'shortest-name', holds: (text) => length(text) >= 7, message: 'must have at least 7 characters' },
  { name: 'longest-name', holds: (text) => length(text) <= 255, message: 'must have at most 255 characters' },
  {
    name: 'printable',
    holds: (text) => !/\p{Cc}/u.test(text),
    message: 'must not contain control characters',
  },
] as const satisfies readonly Rule[];

/** The rules of the service specification, "Limits". */
export const passwordRules = [
  {
    name: 'shortest-password',
    holds: (text) => length(text) >= 10,
    message: 'must have at least 10 characters',
  },
  {
    name: 'lower-case',
    holds: (text) => /[a-z]/.test(text),
    message: 'must contain a lower case letter (a-z)',
  },
  {
    name: 'upper-case',
    holds: (text) => /[A-Z]/.test(text),
    message: 'must contain an upper case letter (A-Z)',
  },
  { name: 'digit', holds: (text) => /[0-9]/.test(text), message: 'must contain a digit (0-9)' },
  {
    name: 'special',
    holds: (text) => /[!@#$%^&*_\-+=?]/.test(text),
    message: 'must contain one of !@#$%^&*_-+=?',
  },
] as const satisfies readonly Rule[];

/** The password in the examples of README.md, which keeps the rules and is known to everybody. */
export const documentedPassword = 'Temp0rary!pass';

/** One detail for each rule that name or password breaks; none repeats the password. */
export function brokenRules(username: string, password: string): ErrorDetail[] {
  return [...broken('username', username, usernameRules), ...broken('password', password, passwordRules)];
}

/** The same for a password that replaces another: it has to be a different one. */
export function brokenPasswordRules(oldPassword: string, newPassword: string): ErrorDetail[] {
  const path = 'new-password';
  const same = { path, message: 'must differ from the old password' };
  return [...broken(path, newPassword, passwordRules), ...(oldPassword === newPassword ? [same] : [])];
}

const broken = (path: string, text: string, rules: readonly Rule[]): ErrorDetail[] =>
  rules.filter(({ holds }) => !holds(text)).map(({ message }) => ({ path, message }));
