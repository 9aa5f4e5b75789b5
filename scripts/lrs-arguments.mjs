// @ts-check
// JavaScript, because the arguments are checked before there is anything that compiles TypeScript.
import { parseArgs } from 'node:util';
import { modes, settingsOfMode } from './serve-arguments.mjs';

/** Commands of their own programs, which read the rest of the arguments themselves. */
export const programs = /** @type {const} */ ([
  'backup',
  'restore',
  'import',
  'export',
  'migrate',
  'reindex',
]);

/**
 * @typedef {'account list' | 'account create' | 'account password' | 'keys list' | 'keys create' | 'keys rotate' | 'keys delete'
 *   | 'status' | 'doctor'} CommandName
 */

/** @type {ReadonlyMap<CommandName, { readonly operand?: string, readonly optional?: boolean, readonly does: string }>} */
const commands = new Map([
  ['account list', { does: 'names the accounts' }],
  [
    'account create',
    { operand: 'NAME', does: 'creates an account; its password is asked for, or read from standard input' },
  ],
  ['account password', { operand: 'NAME', does: 'sets a new password and ends all logins of the account' }],
  ['keys list', { operand: 'ACCOUNT', does: 'lists the key pairs of an account, without secret keys' }],
  ['keys create', { operand: 'ACCOUNT', does: 'creates a key pair [--scope SCOPE]… [--label TEXT]' }],
  [
    'keys rotate',
    { operand: 'API-KEY', does: 'gives a key pair a new secret key; the old one ends within a second' },
  ],
  ['keys delete', { operand: 'API-KEY', does: 'deletes a key pair' }],
  ['status', { does: 'what the store holds' }],
  [
    'doctor',
    {
      operand: 'URL',
      optional: true,
      does: 'checks the configuration and the database, or a server from outside',
    },
  ],
]);

export const usage = `serverless-lrs COMMAND [--json] [--db ${modes.join('|')}]
${[...commands].map(([name, { operand, optional, does }]) => line(name, operand, optional, does)).join('\n')}
  ${programs.join(', ')}
${' '.repeat(28)}as npm run NAME -- …
Exit codes: 0 done, 1 failed, 2 the command is not known or not complete.`;

/**
 * @param {string} name
 * @param {string | undefined} operand
 * @param {boolean | undefined} optional
 * @param {string} does
 */
function line(name, operand, optional, does) {
  const shown = operand === undefined ? '' : optional ? ` [${operand}]` : ` ${operand}`;
  return `  ${(name + shown).padEnd(26)}${does}`;
}

/** What is wrong with a command line, for the person who typed it. */
export class UsageError extends Error {}

/**
 * @typedef {object} Command
 * @property {CommandName} name
 * @property {string} operand empty when it was left out
 * @property {readonly string[]} scopes
 * @property {string | null} label
 * @property {boolean} json
 * @property {Readonly<Record<string, string>>} settings those that the option `--db` stands for; they count before all others
 */

/**
 * @param {readonly string[]} args what stands after the name of the program
 * @returns {Command}
 * @throws {UsageError}
 */
export function readCommand(args) {
  const { values, positionals } = parse(args);
  const name = [...commands.keys()].find((known) => known === positionals.slice(0, words(known)).join(' '));
  if (name === undefined) throw new UsageError(`${mistakeIn(positionals)}${usage}`);
  const { operand: wanted, optional = false } = commands.get(name) ?? {};
  const [operand = '', ...more] = positionals.slice(words(name));
  const isMissing = wanted !== undefined && !optional && operand === '';
  if (isMissing || more.length > 0 || (wanted === undefined && operand !== '')) {
    throw new UsageError(
      `${name} takes ${wanted === undefined ? 'nothing more' : `one ${wanted}`}.\n${usage}`,
    );
  }
  if (name !== 'keys create' && (values.scope !== undefined || values.label !== undefined)) {
    throw new UsageError(`--scope and --label are for keys create.\n${usage}`);
  }
  const { scope: scopes = ['all'], label = null, json = false, db } = values;
  return { name, operand, scopes, label, json, settings: db === undefined ? {} : settings(db) };
}

/**
 * What is wrong with a command that is none, as a line before the usage.
 * @param {readonly string[]} positionals
 */
function mistakeIn(positionals) {
  const [first] = positionals;
  if (first === undefined) return '';
  const seconds = [...commands.keys()]
    .filter((known) => known.startsWith(`${first} `))
    .map((known) => known.slice(first.length + 1));
  if (seconds.length === 0) return `There is no command ${first}.\n`;
  return `${first} is followed by one of ${seconds.join(', ')}.\n`;
}

/** @param {string} name */
const words = (name) => name.split(' ').length;

/** @param {string} db */
function settings(db) {
  try {
    return settingsOfMode(db, usage);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean' },
        db: { type: 'string' },
        scope: { type: 'string', multiple: true },
        label: { type: 'string' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UsageError(`${reason}\n${usage}`, { cause: error });
  }
}
