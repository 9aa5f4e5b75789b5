import { ConfigError } from '../config/config.ts';
import { DatabaseUnusableError } from '../lib/db/unusable.ts';
import { messageWithoutSql } from '../lib/error-message.ts';
import { printableLines } from '../lib/printable.ts';

/** Why a command failed, a line for each reason, for the person who gave it. */
export function failureReasons(error: unknown): readonly string[] {
  return reasonsOf(error).map(printableLines);
}

function reasonsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems;
  if (!(error instanceof Error)) return [String(error)];
  return [messageWithoutSql(error.cause instanceof DatabaseUnusableError ? error.cause : error)];
}
