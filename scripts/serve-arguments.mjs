// @ts-check
// JavaScript, because `npm start` checks the arguments before there is anything that compiles TypeScript.
import { parseArgs } from 'node:util';

const usage =
  'npm start [-- --workers N], npm run start:memory, start:postgres or start:mariadb [-- --workers N]: N processes on one port.';

/** @type {ReadonlyMap<string, Readonly<Record<string, string>>>} */
const settingsOf = new Map([
  ['memory', { LRS_DB_TYPE: 'sqlite', LRS_DB_NAME: ':memory:' }],
  ['postgres', { LRS_DB_TYPE: 'postgres' }],
  ['mariadb', { LRS_DB_TYPE: 'mariadb' }],
]);

/**
 * @typedef {object} ServeArguments
 * @property {Readonly<Record<string, string>>} settings those that the start mode stands for; they count before all others
 * @property {number} workers how many processes serve
 */

/**
 * What stands after the name of the program.
 * @param {readonly string[]} args
 * @returns {ServeArguments}
 * @throws {Error} with a sentence for the person who typed it
 */
export function readArguments(args) {
  const { db, workers = '1' } = parse(args).values;
  if (!/^[1-9]\d{0,2}$/.test(workers)) throw new Error(`--workers must be a number from 1 to 999. ${usage}`);
  if (db === undefined) return { settings: {}, workers: Number(workers) };
  return { settings: settingsOfMode(db, usage), workers: Number(workers) };
}

/**
 * The settings that a value of the option `--db` stands for.
 * @param {string} db
 * @param {string} usage
 * @throws {Error}
 */
export function settingsOfMode(db, usage) {
  const settings = settingsOf.get(db);
  if (settings === undefined) throw new Error(`--db must be ${[...settingsOf.keys()].join(', ')}. ${usage}`);
  return settings;
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({ args: [...args], options: { db: { type: 'string' }, workers: { type: 'string' } } });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`${reason.replace(/\.$/, '')}. ${usage}`, { cause: error });
  }
}
