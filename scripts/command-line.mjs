// @ts-check
// JavaScript, because the arguments are checked before there is anything that compiles TypeScript.

/** The exit code after a mistake in a command line. */
export const wrongCommandLine = 2;

/**
 * Whether a command line asks for its usage.
 * @param {readonly string[]} args
 */
export const asksForUsage = (args) => args.includes('--help') || args.includes('-h');

/**
 * What this program was started with, before the minutes that an installation may take. A request for its usage, or a mistake,
 * is answered, and ends the process.
 * @template T
 * @param {(args: readonly string[]) => T} read throws an Error with a sentence for the person who typed it
 * @param {string} usage
 * @returns {T}
 */
export function commandLine(read, usage) {
  const args = process.argv.slice(2);
  if (asksForUsage(args)) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return read(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(wrongCommandLine);
  }
}
