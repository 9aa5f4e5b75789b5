import { EventEmitter } from 'node:events';
import type pgModule from 'pg';
import { describe, expect, it } from 'vitest';
import { PostgresDialect } from '../../../../../lib/db/dialects/postgres/dialect.ts';
import { PostgresPipe } from '../../../../../lib/db/dialects/postgres/pipe.ts';
import { syncGroupClass } from '../../../../../lib/db/dialects/postgres/sync-group.ts';

/** The part of the driver's `Query` that a group builds on. */
class Query extends EventEmitter {}

type SyncGroup = InstanceType<ReturnType<typeof syncGroupClass>>;

/** A pipe to a server that only notes what it is sent, in words; `|` is a point of synchronisation, a line one write. */
function noted({ refuses = 'none' } = {}) {
  const groups: SyncGroup[] = [];
  const lines: string[] = [];
  let line: string[] = [];
  let corked = 0;
  let destroyed: Error | undefined;
  const connection = {
    parse: ({ name, text }: { name: string; text: string }) => line.push(`parse ${name}=${text}`),
    bind({ statement }: { statement: string }) {
      if (statement === refuses) throw new Error('too long');
      line.push(`bind ${statement}`);
    },
    describe: () => line.push('describe'),
    close: ({ name }: { name: string }) => line.push(`close ${name}`),
    execute: () => {},
    sync: () => line.push('|'),
    stream: {
      cork: () => {
        corked += 1;
      },
      uncork: () => {
        corked -= 1;
        lines.push(line.join(' '));
        line = [];
      },
      destroy: (error: Error) => {
        destroyed = error;
      },
    },
  };
  const client = Object.assign(new EventEmitter(), {
    connection,
    query: (group: SyncGroup) => {
      groups.push(group);
      group.submit(connection as unknown as pgModule.Connection);
    },
  });
  const types = { getTypeParser: () => Number } as unknown as pgModule.CustomTypesConfig;
  const driver = { Query } as unknown as typeof pgModule;
  const pipe = new PostgresPipe(client as unknown as pgModule.Client, syncGroupClass(driver), types);
  return { pipe, client, groups, lines, state: () => ({ corked, destroyed }) };
}

const sql = (text: string, ...values: (string | Buffer | null)[]) => ({ text, values });
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the pipe to Postgres', () => {
  it('sends what is asked in one turn as one message, and prepares each text once', async () => {
    const { pipe, groups, lines, state } = noted();
    void pipe.run(sql('A'));
    await Promise.resolve();
    void pipe.run(sql('B'), { givesRows: true });
    void pipe.run(sql('A'));
    await turn();
    groups[0]?.handleReadyForQuery();
    void pipe.run(sql('B'), { givesRows: true });
    await turn();
    expect(lines).toEqual(['parse s1=A bind s1 parse s2=B bind s2 describe bind s1 |', 'bind s2 describe |']);
    expect(state().corked).toBe(0);
  });

  it('counts on no statement that another message is to prepare until that has succeeded', async () => {
    const { pipe, groups, lines } = noted();
    const failing = pipe.run(sql('A'));
    await turn();
    void pipe.run(sql('A'));
    await turn();
    groups[0]?.handleError(new Error('lock timeout'));
    await expect(failing).rejects.toThrow('lock timeout');
    void pipe.run(sql('A'));
    await turn();
    groups[2]?.handleReadyForQuery();
    void pipe.run(sql('A'));
    await turn();
    expect(lines).toEqual([
      'parse s1=A bind s1 |',
      'parse =A bind  |',
      'close s1 parse s2=A bind s2 |',
      'bind s2 |',
    ]);
  });

  it('runs alone what is to run even if others fail, in the same message and at once', () => {
    const { pipe, lines } = noted();
    void pipe.run(sql('A'));
    void pipe.run(sql('COMMIT'), { alone: true });
    expect(lines).toEqual(['parse s1=A bind s1 | parse s2=COMMIT bind s2 |']);
  });

  it('does not wait for more when there is much to send', () => {
    const { pipe, lines } = noted();
    void pipe.run(sql('A', Buffer.alloc(70_000)));
    expect(lines).toEqual(['parse s1=A bind s1 |']);
  });

  it('gives each its rows and what was done', async () => {
    const { pipe, groups } = noted();
    const first = pipe.run<{ n: number }>(sql('A'), { givesRows: true });
    const second = pipe.run(sql('B'));
    await turn();
    const [group] = groups;
    const fields = [
      { name: 'n', dataTypeID: 23 },
      { name: 'none', dataTypeID: 23 },
    ] as pgModule.FieldDef[];
    group?.handleRowDescription({ fields });
    group?.handleDataRow({ fields: ['7', null] });
    group?.handleCommandComplete({ text: 'SELECT 1' });
    group?.handleCommandComplete({ text: 'INSERT 0 2' });
    group?.handleReadyForQuery();
    expect(await first).toEqual({ rows: [{ n: 7, none: null }], tag: 'SELECT 1' });
    expect(await second).toEqual({ rows: [], tag: 'INSERT 0 2' });
  });

  it('tells all of a message why one of them failed, and prepares again what may not be prepared', async () => {
    const { pipe, groups, lines } = noted();
    const outcomes = Promise.allSettled([pipe.run(sql('A')), pipe.run(sql('B'))]);
    await turn();
    const failure = new Error('no such table');
    groups[0]?.handleCommandComplete({ text: 'INSERT 0 1' });
    groups[0]?.handleError(failure);
    expect((await outcomes).map((outcome) => 'reason' in outcome && outcome.reason)).toEqual([
      failure,
      failure,
    ]);
    void pipe.run(sql('B'));
    await turn();
    expect(lines.at(-1)).toBe('close s1 close s2 parse s3=B bind s3 |');
  });

  it('believes no commit whose wait for a standby was interrupted, and gives the connection up', async () => {
    const { pipe, client, groups, state } = noted();
    const outcome = pipe.run(sql('COMMIT'), { alone: true });
    client.emit('notice', { routine: 'SyncRepWaitForLSN', severity: 'WARNING', code: '01000' });
    groups[0]?.handleCommandComplete({ text: 'COMMIT' });
    groups[0]?.handleReadyForQuery();
    await expect(outcome).rejects.toThrow('No standby has confirmed the commit.');
    expect(new PostgresDialect().isConnectionLost(state().destroyed)).toBe(true);
  });

  it('gives the connection up when a value can’t be sent', async () => {
    const { pipe, state } = noted({ refuses: 's2' });
    void pipe.run(sql('A'));
    void pipe.run(sql('B'));
    await turn();
    expect(state()).toEqual({ corked: 0, destroyed: new Error('too long') });
  });
});
