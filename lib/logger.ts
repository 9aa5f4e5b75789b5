import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { messageWithoutSql } from './error-message.ts';
import { codeOf } from './errors.ts';
import { logContext } from './log-context.ts';

/** The numbers that pino and bunyan give these levels, which tools for logs know. */
const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY };
type Level = keyof typeof levels;

/** A value of the setting `logger.logLevel`. */
export type LogLevel = 'OFF' | 'ERROR' | 'WARN' | 'INFO' | 'DEBUG' | 'TRACE' | 'ALL';

const configuredLevels: Readonly<Record<LogLevel, Level>> = {
  OFF: 'silent',
  ERROR: 'error',
  WARN: 'warn',
  INFO: 'info',
  DEBUG: 'debug',
  TRACE: 'trace',
  ALL: 'trace',
};

/** Fields must be what JSON can express; of an Error in `err` the entry shows what `ErrorEntry` names. */
interface WriteEntry {
  (message: string): void;
  (fields: Readonly<Record<string, unknown>>, message?: string): void;
}

export interface Logger {
  /** Entries below it are dropped. */
  level: Level;
  isLevelEnabled(level: Level): boolean;
  readonly debug: WriteEntry;
  readonly info: WriteEntry;
  readonly warn: WriteEntry;
  readonly error: WriteEntry;
}

interface Destination {
  write(line: string): void;
}

/**
 * One JSON line per entry, on standard error: standard output is for what the program tells the person who started it.
 * Lines are written at once, so that none is lost when the process (or a Lambda) ends. A library would be loaded by each
 * function that starts, and most write nothing (decision record 0035).
 */
export function createLogger(
  configured: LogLevel,
  destination: Destination = { write: writeToStandardError },
): Logger {
  // A system call.
  const host = hostname();
  const isLevelEnabled = (level: Level): boolean => levels[level] >= levels[logger.level];
  const writer =
    (level: Level): WriteEntry =>
    (first: string | Readonly<Record<string, unknown>>, message?: string): void => {
      if (!isLevelEnabled(level)) return;
      const { err, ...fields } = typeof first === 'string' ? {} : first;
      const entry = {
        level: levels[level],
        time: Date.now(),
        pid: process.pid,
        hostname: host,
        ...logContext(),
        ...fields,
        err: errorEntry(err),
        msg: typeof first === 'string' ? first : message,
      };
      destination.write(`${JSON.stringify(entry)}\n`);
    };
  const logger: Logger = {
    level: configuredLevels[configured],
    isLevelEnabled,
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  };
  return logger;
}

/** A logger of the same level whose entries name the store that they are about. */
export function inStore(logger: Logger, store: string): Logger {
  const named =
    (write: WriteEntry): WriteEntry =>
    (first: string | Readonly<Record<string, unknown>>, message?: string): void =>
      typeof first === 'string' ? write({ store }, first) : write({ store, ...first }, message);
  return {
    get level() {
      return logger.level;
    },
    set level(level) {
      logger.level = level;
    },
    isLevelEnabled: (level) => logger.isLevelEnabled(level),
    debug: named(logger.debug),
    info: named(logger.info),
    warn: named(logger.warn),
    error: named(logger.error),
  };
}

/**
 * Speaks as long as the LRS, and with it the logger of the configuration, could not be opened. Who reads the configuration
 * gives it the level that is configured.
 */
export const earlyLogger = createLogger('ERROR');

const standardError = 2;
/** Milliseconds until a full pipe is tried again. */
const fullPipePause = 10;

/** Writes a line at once; waits while a pipe is full. Where nobody reads any more, the line is dropped. */
export function writeToStandardError(line: string): void {
  const bytes = Buffer.from(line);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(standardError, bytes, written);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipePause);
    }
  }
}

/** What the log says of an error. */
interface ErrorEntry {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  /** Where in our code it came from, e.g. `lib/statements/search/reader.ts:12:3`; no more of the stack than that. */
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
  const code = 'code' in error ? error.code : undefined;
  const at = placeOf(error);
  const inner = errorEntry(cause);
  return {
    type: name,
    message: messageOf(error),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
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
  return messageWithoutSql(error);
}
