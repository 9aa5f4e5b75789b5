// @ts-check
// JavaScript, because `npm start` checks the arguments before there is anything that compiles TypeScript.
import { parseArgs } from 'node:util';

/** @type {ReadonlyMap<string, Readonly<Record<string, string>>>} */
const settingsOf = new Map([
  ['memory', { LRS_DB_TYPE: 'sqlite', LRS_DB_NAME: ':memory:' }],
  ['postgres', { LRS_DB_TYPE: 'postgres' }],
  ['mariadb', { LRS_DB_TYPE: 'mariadb' }],
]);

/** The values of `--db`. */
export const modes = [...settingsOf.keys()];
/** Those for a server, as usage lines show them. */
export const serverModes = modes.filter((mode) => mode !== 'memory').join('|');

export const serveUsage = `npm start [-- --workers N], npm run ${modes.map((mode) => `start:${mode}`).join(', ')} [-- --workers N]: N processes on one port.`;

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
  const options = /** @type {const} */ ({ db: { type: 'string' }, workers: { type: 'string' } });
  const { db, workers = '1' } = parse(args, options, serveUsage);
  if (!/^[1-9]\d{0,2}$/.test(workers))
    throw new Error(`--workers must be a number from 1 to 999. ${serveUsage}`);
  if (db === undefined) return { settings: {}, workers: Number(workers) };
  return { settings: settingsOfMode(db, serveUsage), workers: Number(workers) };
}

/**
 * The settings that a value of the option `--db` stands for.
 * @param {string} db
 * @param {string} usage
 * @throws {Error}
 */
export function settingsOfMode(db, usage) {
  const settings = settingsOf.get(db);
  if (settings === undefined) throw new Error(`--db must be ${modes.join(', ')}. ${usage}`);
  return settings;
}

export const migrateUsage = `npm run migrate [-- --db ${serverModes}]: brings the schema of the database up to date and creates the first account.`;
export const reindexUsage = `npm run reindex [-- --db ${serverModes}]: writes the index entries of all stored statements again, beside running servers.`;

/**
 * What stands after a program that only works with the database.
 * @param {readonly string[]} args
 * @param {string} usage
 * @returns {Pick<ServeArguments, 'settings'>}
 * @throws {Error} with a sentence for the person who typed it
 */
export function readDatabaseArguments(args, usage) {
  const { db } = parse(args, /** @type {const} */ ({ db: { type: 'string' } }), usage);
  return { settings: db === undefined ? {} : settingsOfMode(db, usage) };
}

/**
 * @template {Readonly<Record<string, { readonly type: 'string' }>>} Options
 * @param {readonly string[]} args
 * @param {Options} options
 * @param {string} usage
 */
function parse(args, options, usage) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`${reason.replace(/\.$/, '')}. ${usage}`, { cause: error });
  }
}
