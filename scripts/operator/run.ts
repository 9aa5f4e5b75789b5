import type { ConfigSource } from '../../config/sources.ts';
import { printable } from '../../lib/printable.ts';
import { asksForUsage } from '../command-line.mjs';
import { doctor } from '../doctor/doctor.ts';
import { failureReasons } from '../failure-reasons.ts';
import { type Command, readCommand, UsageError, usage } from '../lrs-arguments.mjs';
import { operate } from './operate.ts';
import type { Show } from './outcome.ts';

const makesSecret = ({ name }: Command): boolean => name === 'keys create' || name === 'keys rotate';
const secretIsLost =
  'The new secret key is lost: `keys list ACCOUNT` shows the API key, and `keys rotate API-KEY` gives it another secret key.';

/** What a command needs of the process that it runs in. */
export interface Surroundings {
  readonly source: ConfigSource;
  readonly readPassword: () => Promise<string>;
  /** Prints a line. It rejects where the line is not written, such as into a file on a full disk. */
  readonly print: (line: string) => Promise<void>;
  /** Prints a line, if it can. */
  readonly printError: (line: string) => void;
}

/**
 * Runs the command of a command line.
 * @returns the exit code: 0 done, 1 failed, 2 the command line is wrong.
 */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  const { source, readPassword, print, printError } = surroundings;
  let isOk = true;
  const printed = async (text: string, ifNot: readonly string[] = []): Promise<void> => {
    try {
      await print(text);
    } catch (error) {
      isOk = false;
      printError(
        `The command is carried out, but its result could not be printed: ${failureReasons(error).join(' ')}`,
      );
      for (const line of ifNot) printError(line);
    }
  };
  try {
    if (args[0] === 'help' || asksForUsage(args)) {
      await printed(usage);
      return isOk ? 0 : 1;
    }
    const command = readCommand(args);
    const configured = { ...source, database: command.settings };
    const show: Show = async ({ lines, value, ok }) => {
      isOk &&= ok;
      const text = command.json ? JSON.stringify(value) : lines.map(printable).join('\n');
      await printed(text, makesSecret(command) ? [secretIsLost] : []);
    };
    if (command.name === 'doctor') await show(await doctor(command.operand, configured));
    else await operate(command, configured, { readPassword, show });
    return isOk ? 0 : 1;
  } catch (error) {
    for (const line of failureReasons(error)) printError(line);
    return error instanceof UsageError ? 2 : 1;
  }
}
