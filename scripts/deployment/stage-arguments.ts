import { parseArgs } from 'node:util';

/** What stands behind a command for a stage. */
export interface StageArguments {
  readonly stage: string;
  /** The options that are there, e.g. `dry-run`. */
  readonly given: ReadonlySet<string>;
}

/**
 * @param flags options without a value that the command takes beside `--stage`.
 * @returns a sentence for the person who typed it when it can't be read.
 */
export function readStageArguments(
  command: string,
  argv: readonly string[],
  flags: readonly string[],
): StageArguments | string {
  const usage = `npm run ${command} -- --stage prod`;
  try {
    const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' } as const]));
    const { values } = parseArgs({ args: [...argv], options: { ...options, stage: { type: 'string' } } });
    const { stage, ...given } = values;
    if (typeof stage !== 'string') return `Name the stage: ${usage}`;
    return { stage, given: new Set(Object.keys(given)) };
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split(
      /\.?( To specify|\n|$)/,
    );
    const known = flags.map((flag) => ` [--${flag}]`).join('');
    return `${reason}. The command is: ${usage}${known}`;
  }
}
