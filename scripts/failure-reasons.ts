import { ConfigError } from '../config/config.ts';
import { DatabaseUnusableError } from '../lib/db/unusable.ts';
import { messageWithoutSql } from '../lib/error-message.ts';

/** Why a command failed, a line for each reason, for the person who gave it. */
export function failureReasons(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems;
  if (!(error instanceof Error)) return [String(error)];
  return [messageWithoutSql(error.cause instanceof DatabaseUnusableError ? error.cause : error)];
}
