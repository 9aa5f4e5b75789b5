// @ts-check
// JavaScript, because the arguments are checked before there is anything that compiles TypeScript.
import { parseArgs } from 'node:util';
import { serverModes, settingsOfMode } from './serve-arguments.mjs';

export const storeUsage = `npm run store -- move NAME --to SERVER [--db ${serverModes}]`;

/**
 * @typedef {object} StoreArguments
 * @property {string} name
 * @property {string} server
 * @property {Readonly<Record<string, string>>} settings those that the option `--db` stands for
 */

/**
 * What stands after `npm run store --`.
 * @param {readonly string[]} args
 * @returns {StoreArguments}
 * @throws {Error} with a sentence for the person who typed it
 */
export function readStoreArguments(args) {
  const { values, positionals } = parse(args);
  const [command, name] = positionals;
  if (command !== 'move' || !name || positionals.length > 2 || !values.to)
    throw new Error(`Say which store moves where: ${storeUsage}`);
  return {
    name,
    server: values.to,
    settings: values.db === undefined ? {} : settingsOfMode(values.db, storeUsage),
  };
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    const options = /** @type {const} */ ({ to: { type: 'string' }, db: { type: 'string' } });
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`${reason.replace(/\.$/, '')}. ${storeUsage}`, { cause: error });
  }
}
