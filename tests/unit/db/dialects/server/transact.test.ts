import { expect, it } from 'vitest';
import type { ServerConnection, ServerDialect } from '../../../../../lib/db/dialects/server/engine.ts';
import { transact } from '../../../../../lib/db/dialects/server/transact.ts';
import { PipelinedTransaction } from '../../../../../lib/db/pipelined-transaction.ts';

const connection = (begin: Promise<void>) =>
  ({ begin: () => begin, rollback: async () => {} }) as unknown as ServerConnection;
const dialect = { failureUndoesTransaction: false } as ServerDialect;

async function failingWork(begin: Promise<void>): Promise<never> {
  return transact(connection(begin), new PipelinedTransaction(), dialect, async () => {
    throw new Error('The id is taken.');
  });
}

it('a transaction whose work fails fails for that reason', async () => {
  await expect(failingWork(Promise.resolve())).rejects.toThrow('The id is taken.');
});

it('a transaction that did not get the write lock fails for that reason, whatever its work found without it', async () => {
  const interrupted = Promise.reject(new Error('The statement was interrupted.'));
  await expect(failingWork(interrupted)).rejects.toThrow('The statement was interrupted.');
});

it('a transaction that cannot be rolled back leaves a connection that is not used again, and fails for its own reason', async () => {
  const unended = connection(Promise.resolve());
  unended.rollback = () => Promise.reject(new Error('The statement was interrupted.'));
  const work = () => Promise.reject(new Error('The id is taken.'));
  const outcome = transact(unended, new PipelinedTransaction(), dialect, work);
  await expect(outcome).rejects.toThrow('The id is taken.');
  expect(unended.rollbackFailed).toBe(true);
});
