import { StatementTimeoutError, UnavailableError } from '../errors.ts';
import { TurnTooLongError } from './handler-turn.ts';
import { ConsumerFailure } from './types.ts';

/** The database is there, but the consumer gets nothing written. */
export class NotWrittenError extends ConsumerFailure {
  override readonly name = 'NotWrittenError';

  constructor(attempts: number, cause: unknown) {
    super(
      `The database has stored nothing of what this consumer has done, ${attempts} times in a row: a transaction takes longer than dbTransactionTimeout, or the database answers only now and then.`,
      { cause },
    );
  }
}

/** Whether the database is out of reach, which is no failure. One that ends what takes too long is there. */
export function isOutage(error: unknown): boolean {
  return error instanceof UnavailableError && !(error instanceof StatementTimeoutError);
}

/** Whether fewer items may take less time than these have. */
export function isTooLong(error: unknown): boolean {
  return error instanceof TurnTooLongError || error instanceof StatementTimeoutError;
}
