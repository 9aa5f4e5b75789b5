import { createLogger, type Logger, type LogLevel } from '../lib/logger.ts';

/** For commands that print a result: of what a server logs by default, they log what needs attention, and no usual events. */
export const commandLogger = (configured: LogLevel): Logger =>
  createLogger(configured === 'INFO' ? 'WARN' : configured);
