import { UnavailableError } from '../../../errors.ts';
import { CommitOutcomeUnknownError } from '../../commit-outcome.ts';
import type { PipelinedTransaction } from '../../pipelined-transaction.ts';
import type { ServerConnection, ServerDialect } from './engine.ts';

/** Runs the work in a transaction, and commits when it resolves. @throws CommitOutcomeUnknownError, or what the work throws. */
export async function transact<T>(
  connection: ServerConnection,
  transaction: PipelinedTransaction,
  dialect: ServerDialect,
  work: () => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    transaction.begin(connection.begin());
    result = await work();
    if (!dialect.failureUndoesTransaction) {
      await transaction.begun;
      await transaction.ended();
    }
  } catch (error) {
    await transaction.settled();
    // The server rolls back when the connection is closed, if it is not lost already.
    await connection.rollback().catch(() => {
      connection.rollbackFailed = true;
    });
    // Without the write lock the work may fail where it would succeed with it.
    await transaction.begun;
    // It may have failed only because the statements before had no effect any more.
    throw connection.rolledBackBy ?? error;
  }
  const committed = commit(connection, dialect);
  // It may have been sent before the server had the lock.
  transaction.begun.then(
    () => transaction.commitSent(),
    () => undefined,
  );
  try {
    await committed;
  } catch (error) {
    // An error before COMMIT explains why there was none, but not when the outcome is unknown.
    if (!(error instanceof UnavailableError)) {
      await transaction.begun;
      await transaction.ended();
    }
    throw error;
  }
  transaction.committed();
  return result;
}

async function commit(connection: ServerConnection, dialect: ServerDialect): Promise<void> {
  try {
    await connection.commit();
  } catch (error) {
    throw outcomeOf(error, dialect);
  }
}

/** When the connection is lost during COMMIT, its outcome is unknown, so the transaction must not be retried. */
export function outcomeOf(error: unknown, dialect: ServerDialect): unknown {
  return dialect.isConnectionLost(error) ? new CommitOutcomeUnknownError({ cause: error }) : error;
}
