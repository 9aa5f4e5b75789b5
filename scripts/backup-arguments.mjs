// @ts-check
// JavaScript, because the arguments are checked before there is anything that compiles TypeScript.
import { parseArgs } from 'node:util';
import { serverModes, settingsOfMode } from './serve-arguments.mjs';

/** @param {'backup' | 'restore'} command */
const usageOf = (command) => `npm run ${command} -- FILE [--db ${serverModes}]`;

export const backupUsage = `${usageOf('backup')}\n${usageOf('restore')}`;

/**
 * @typedef {object} BackupArguments
 * @property {'backup' | 'restore'} command
 * @property {string} file
 * @property {Readonly<Record<string, string>>} settings those that the option `--db` stands for; they count before all others
 */

/**
 * What stands after the name of the program.
 * @param {readonly string[]} args
 * @returns {BackupArguments}
 * @throws {Error} with a sentence for the person who typed it
 */
export function readBackupArguments(args) {
  const [command, ...others] = args;
  if (command !== 'backup' && command !== 'restore') throw new Error('The command is backup or restore.');
  const usage = usageOf(command);
  const { values, positionals } = parse(others, usage);
  const [file] = positionals;
  if (file === undefined || file === '' || positionals.length > 1)
    throw new Error(`Name one file: ${usage}.`);
  return { command, file, settings: values.db === undefined ? {} : settingsOfMode(values.db, usage) };
}

/**
 * @param {readonly string[]} args
 * @param {string} usage
 */
function parse(args, usage) {
  try {
    return parseArgs({ args: [...args], options: { db: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`${reason.replace(/\.$/, '')}. ${usage}`, { cause: error });
  }
}
