import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/types.ts';

export type { Logger };

const levels: Readonly<Record<LogLevel, string>> = {
  OFF: 'silent',
  ERROR: 'error',
  WARN: 'warn',
  INFO: 'info',
  DEBUG: 'debug',
  TRACE: 'trace',
  ALL: 'trace',
};

const standardError = 2;

/**
 * One JSON line per entry, on standard error: standard output is for what the program tells the person who started it.
 * Lines are written at once, so that none is lost when the process (or a Lambda) ends.
 */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ dest: standardError, sync: true }),
): Logger {
  return pino({ level: levels[level], serializers: { err: errorEntry } }, destination);
}

/** What the log says of an error. */
interface ErrorEntry {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  /** Where in our code it came from, e.g. `lib/statements/reader.ts:12:3`; no more of the stack than that. */
  readonly at?: string;
  readonly cause?: ErrorEntry;
}

/**
 * Only what is named here: the errors of databases carry the SQL and every value of it in properties of their own, and one
 * driver puts its SQL into the message. The message of a SyntaxError quotes the text that could not be parsed.
 */
function errorEntry(error: unknown): ErrorEntry | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, cause }: Error = error;
  const at = placeOf(error);
  const inner = errorEntry(cause);
  return {
    type: name,
    message: messageOf(error),
    ...('code' in error && { code: error.code }),
    ...(at !== undefined && { at }),
    ...(inner !== undefined && { cause: inner }),
  };
}

/** The innermost frame of the stack that is neither Node's nor a package's. */
function placeOf({ stack = '' }: Error): string | undefined {
  const frames = stack.match(/^ +at .*$/gm) ?? [];
  const own = frames.find((frame) => !/node:|node_modules/.test(frame));
  return /(?:^|[/\\])((?:lib|functions|config|migrations|scripts|dist|tests)[/\\][^)]*)\)?$/.exec(
    own ?? '',
  )?.[1];
}

function messageOf(error: Error): string {
  if (error instanceof SyntaxError) return 'some text could not be parsed';
  return 'sqlMessage' in error && typeof error.sqlMessage === 'string' ? error.sqlMessage : error.message;
}
