import type { Connection } from 'mariadb';
import { describe, expect, it } from 'vitest';
import {
  GaleraConnection,
  GaleraNotReadyError,
} from '../../../../../lib/db/dialects/mariadb/galera-connection.ts';

/** An error of the server, as the driver throws it. */
const serverError = (errno: number) => Object.assign(new Error(`error ${errno}`), { errno });

/** A connection to a node that refuses each read with the error, and what it was asked for its state. */
function nodeThatFails(error: Error, state: () => { readonly ready: string }[]) {
  const asked: string[] = [];
  const driver = {
    prepare: async () => {
      throw error;
    },
    query: async (sql: string) => {
      asked.push(sql);
      return state();
    },
  };
  return { connection: new GaleraConnection(driver as unknown as Connection), asked };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a read that a node of Galera ends with a lock wait timeout', () => {
  const lockWait = serverError(1205);

  it('fails because the node is not ready, with the timeout as the cause, when the node says so', async () => {
    const { connection, asked } = nodeThatFails(lockWait, () => [{ ready: 'OFF' }]);
    const error = await failureOf(connection.select('SELECT 1 AS found'));
    expect(error).toBeInstanceOf(GaleraNotReadyError);
    expect(error).toMatchObject({ errno: 1047, cause: lockWait });
    // What follows on the connection fails for the same reason, and the node is not asked again.
    expect(await failureOf(connection.select('SELECT 2 AS found'))).toBe(error);
    expect(asked).toHaveLength(1);
  });

  it('fails with the timeout when the node is ready, and so only slow', async () => {
    const { connection } = nodeThatFails(lockWait, () => [{ ready: 'ON' }]);
    expect(await failureOf(connection.select('SELECT 1 AS found'))).toBe(lockWait);
  });

  it('fails with the timeout when the node does not tell its state', async () => {
    const { connection } = nodeThatFails(lockWait, () => {
      throw serverError(2013);
    });
    expect(await failureOf(connection.select('SELECT 1 AS found'))).toBe(lockWait);
  });

  it('is the only one after which the node is asked for its state', async () => {
    const deadlock = serverError(1213);
    const { connection, asked } = nodeThatFails(deadlock, () => [{ ready: 'OFF' }]);
    expect(await failureOf(connection.select('SELECT 1 AS found'))).toBe(deadlock);
    expect(asked).toEqual([]);
  });
});
