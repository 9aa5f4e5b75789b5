import { type Logger, pino } from 'pino';
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
export function createLogger(level: LogLevel): Logger {
  return pino({ level: levels[level] }, pino.destination({ dest: standardError, sync: true }));
}
