import { TooLargeError } from '../errors.ts';

/** The most that a request with statements may hold. Each limit is a setting of the group `lrs`. */
export interface StatementLimits {
  /** The most statements of one request. */
  readonly stmtMaxCount: number;
  /** The most bytes of the JSON text of one statement. */
  readonly stmtMaxBytes: number;
  /** The most JSON values of one statement: lists, objects and their contents, at all levels. */
  readonly stmtMaxValues: number;
  /** The most entries of one list, or members of one object. */
  readonly stmtMaxEntries: number;
}

export const unlimited: StatementLimits = {
  stmtMaxCount: Number.POSITIVE_INFINITY,
  stmtMaxBytes: Number.POSITIVE_INFINITY,
  stmtMaxValues: Number.POSITIVE_INFINITY,
  stmtMaxEntries: Number.POSITIVE_INFINITY,
};

/** What has too much of what, by limit. */
const sentences: Readonly<Record<keyof StatementLimits, (subject: string, limit: number) => string>> = {
  stmtMaxCount: (_subject, limit) => `The request holds more than ${limit} statements`,
  stmtMaxBytes: (subject, limit) => `${subject} is longer than ${limit} bytes`,
  stmtMaxValues: (subject, limit) => `${subject} holds more than ${limit} JSON values`,
  stmtMaxEntries: (subject, limit) => `${subject} has a list or an object with more than ${limit} entries`,
};

/**
 * The error for a text that exceeds a limit.
 * @param subject how the client calls what does, e.g. `statements[3]`.
 * @param place e.g. `at line 1, column 14`.
 */
export function beyondLimit(
  setting: keyof StatementLimits,
  limits: StatementLimits,
  { subject, place }: { readonly subject: string; readonly place: string },
): TooLargeError {
  const sentence = `${sentences[setting](subject, limits[setting])} ${place}`;
  const variable = `LRS_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  return new TooLargeError(`${sentence}; lrs.${setting} (${variable}) permits no more.`, {
    details: [{ path: subject, message: `exceeds lrs.${setting}` }],
  });
}
