import { GroupTooLargeError } from '../db/group-commit.ts';
import { TooLargeError } from '../errors.ts';

/** What one request may make the database do while others wait for the write lock. Each limit is a setting of the group `lrs`. */
export interface WriteLimits {
  /** Entries of the search index that are added, or removed because statements are voided. */
  readonly stmtMaxIndexEntries: number;
  /** Bytes of stored statements that are read: those that a request refers to, or what those that it repeats have more than it. */
  readonly stmtMaxTargetBytes: number;
}

export const unlimitedWrites: WriteLimits = {
  stmtMaxIndexEntries: Number.POSITIVE_INFINITY,
  stmtMaxTargetBytes: Number.POSITIVE_INFINITY,
};

/** @throws TooLargeError when the statements of one request need more entries of the search index than the limit. */
export function requireFewEntries(entries: number, { stmtMaxIndexEntries: limit }: WriteLimits): void {
  if (entries > limit)
    throw beyond('stmtMaxIndexEntries', `needs more than ${limit} entries of the search index`);
}

/** What a transaction finds out about what its requests refer to. */
export class TransactionLimits {
  readonly #limits: WriteLimits;
  readonly #requests: number;

  /** @param requests how many the transaction writes. */
  constructor(limits: WriteLimits, requests: number) {
    this.#limits = limits;
    this.#requests = requests;
  }

  /** @throws TooLargeError, GroupTooLargeError. A single statement may always be voided. */
  requireFewRemovals(statements: number, entries: number): void {
    const { stmtMaxIndexEntries: limit } = this.#limits;
    if (statements < 2 || entries <= limit) return;
    this.#refuse(
      'stmtMaxIndexEntries',
      `voids statements that have more than ${limit} entries of the search index`,
    );
  }

  /** @throws TooLargeError, GroupTooLargeError. A single statement may always be referred to. */
  requireSmallTargets(statements: number, bytes: number): void {
    const { stmtMaxTargetBytes: limit } = this.#limits;
    if (statements < 2 || bytes <= limit) return;
    this.#refuse('stmtMaxTargetBytes', `refers to statements of more than ${limit} bytes altogether`);
  }

  /**
   * Statements that are stored already may be longer than those that are sent, because definitions do not count when they
   * are compared. A single one may be of any length.
   * @throws TooLargeError, GroupTooLargeError.
   */
  requireFewMore(statements: number, furtherBytes: number): void {
    const { stmtMaxTargetBytes: limit } = this.#limits;
    if (statements < 2 || furtherBytes <= limit) return;
    this.#refuse(
      'stmtMaxTargetBytes',
      `repeats stored statements that have ${furtherBytes} bytes more than what is sent; no more than ${limit} are read`,
    );
  }

  #refuse(setting: keyof WriteLimits, what: string): never {
    throw this.#requests > 1 ? new GroupTooLargeError(`A group ${what}.`) : beyond(setting, what);
  }
}

function beyond(setting: keyof WriteLimits, what: string): TooLargeError {
  const variable = `LRS_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  return new TooLargeError(
    `The request ${what}; lrs.${setting} (${variable}) permits no more. Send fewer statements at once.`,
  );
}
