import type { ConfigSource } from '../../config/sources.ts';
import { printable } from '../../lib/printable.ts';
import { asksForUsage } from '../command-line.mjs';
import { doctor } from '../doctor/doctor.ts';
import { failureReasons } from '../failure-reasons.ts';
import { readCommand, UsageError, usage } from '../lrs-arguments.mjs';
import { operate } from './operate.ts';

/** What a command needs of the process that it runs in. */
export interface Surroundings {
  readonly source: ConfigSource;
  readonly readPassword: () => Promise<string>;
  /** Both print a line. */
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

/**
 * Runs the command of a command line.
 * @returns the exit code: 0 done, 1 failed, 2 the command line is wrong.
 */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  const { source, readPassword, print, printError } = surroundings;
  if (args[0] === 'help' || asksForUsage(args)) {
    print(usage);
    return 0;
  }
  try {
    const command = readCommand(args);
    const configured = { ...source, database: command.settings };
    const { lines, value, ok } =
      command.name === 'doctor'
        ? await doctor(command.operand, configured)
        : await operate(command, configured, readPassword);
    print(command.json ? JSON.stringify(value) : lines.map(printable).join('\n'));
    return ok ? 0 : 1;
  } catch (error) {
    for (const line of failureReasons(error)) printError(line);
    return error instanceof UsageError ? 2 : 1;
  }
}
