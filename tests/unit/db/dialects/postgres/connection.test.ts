import { describe, expect, it } from 'vitest';
import { PostgresConnection } from '../../../../../lib/db/dialects/postgres/connection.ts';
import type { PostgresPipe } from '../../../../../lib/db/dialects/postgres/pipe.ts';
import type { PostgresQuery } from '../../../../../lib/db/dialects/postgres/sql.ts';

interface Asked {
  readonly query: PostgresQuery;
  readonly resolve: (outcome: { rows: object[]; tag: string }) => void;
  readonly reject: (error: Error) => void;
}

/** A pipe that sends what it is asked at the end of the turn, and is answered by the test. */
function heldPipe() {
  const asked: Asked[] = [];
  let waiting: PostgresQuery[] = [];
  const run = (query: PostgresQuery) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) {
        process.nextTick(() => {
          waiting = [];
        });
      }
      waiting.push(query);
      asked.push({ query, resolve, reject });
    });
  const isWaiting = (query: PostgresQuery) => waiting.includes(query);
  return { pipe: { run, isWaiting } as unknown as PostgresPipe, asked };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a transaction on a connection to Postgres', () => {
  it('sends with its beginning what is asked in the same turn, and the rest once that has succeeded', async () => {
    const { pipe, asked } = heldPipe();
    const connection = new PostgresConnection(pipe);
    const texts = () => asked.map(({ query }) => query.text.split(' ', 1)[0]);
    const begun = connection.begin();
    void connection.execute('INSERT 1');
    await turn();
    void connection.execute('DELETE 2');
    await turn();
    expect(texts()).toEqual(['BEGIN', 'SELECT', 'INSERT']);
    for (const { resolve } of asked) resolve({ rows: [], tag: '' });
    await begun;
    await turn();
    void connection.execute('UPDATE 3');
    await turn();
    expect(texts()).toEqual(['BEGIN', 'SELECT', 'INSERT', 'DELETE', 'UPDATE']);
  });

  it('sends nothing that would run outside of it when it could not begin', async () => {
    const { pipe, asked } = heldPipe();
    const connection = new PostgresConnection(pipe);
    const begun = connection.begin();
    await turn();
    const late = connection.execute('INSERT 1');
    const refusal = new Error('canceled');
    for (const { reject } of asked) reject(refusal);
    await expect(begun).rejects.toThrow(refusal);
    await expect(late).rejects.toThrow(refusal);
    await expect(connection.execute('INSERT 2')).rejects.toThrow(refusal);
    expect(asked).toHaveLength(2);
  });
});
