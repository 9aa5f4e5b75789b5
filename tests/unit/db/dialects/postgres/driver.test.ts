import { Duplex } from 'node:stream';
import driver, { type Client, types } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { clientClass } from '../../../../../lib/db/dialects/postgres/models.ts';
import { PostgresPipe } from '../../../../../lib/db/dialects/postgres/pipe.ts';
import { syncGroupClass } from '../../../../../lib/db/dialects/postgres/sync-group.ts';

/*
 * What the pipe needs of the `pg` driver beyond its documented interface (docs/decisions/0055-pipelining-on-postgres.md), tested
 * against the real driver and a scripted server: a release that changes it fails here first.
 */

/** The server's end of a connection: keeps what the client sends, and says what the test tells it to. */
class Wire extends Duplex {
  /** Each write, as it reached the socket. */
  readonly writes: Buffer[] = [];

  /** Stands for `net.Socket.connect`. */
  connect(): void {
    process.nextTick(() => this.emit('connect'));
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.writes.push(chunk);
    done();
  }

  override _writev(chunks: { readonly chunk: Buffer }[], done: () => void): void {
    this.writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    done();
  }

  /** A message of the server: a type, and a body behind its length. */
  say(type: string, body: Buffer | string = ''): void {
    const content = Buffer.from(body);
    const length = Buffer.alloc(4);
    length.writeInt32BE(content.length + 4);
    this.push(Buffer.concat([Buffer.from(type), length, content]));
  }
}

/** The types of the messages in a write (PostgreSQL, 55.7 Message Formats), e.g. `PBES`. */
function typesIn(write: Buffer | undefined): string {
  let found = '';
  for (let at = 0; write !== undefined && at < write.length; at += 1 + write.readInt32BE(at + 1)) {
    found += String.fromCharCode(write[at] ?? 0);
  }
  return found;
}

const ready = (wire: Wire): void => wire.say('Z', 'I');
const sql = (text: string) => ({ text, values: [] });
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the driver of Postgres', () => {
  let wire: Wire;
  let client: Client;
  let pipe: PostgresPipe;

  beforeEach(async () => {
    wire = new Wire();
    const PipelinedClient = clientClass(driver);
    client = new PipelinedClient({ stream: () => wire, user: 'nobody' } as never);
    const connected = client.connect();
    await expect.poll(() => wire.writes).toHaveLength(1);
    wire.say('R', Buffer.alloc(4));
    ready(wire);
    await connected;
    wire.writes.length = 0;
    pipe = new PostgresPipe(client, syncGroupClass(driver), types);
  });

  it('sends groups without waiting for answers, all that is sent in one turn by one write', async () => {
    const outcomes = Promise.allSettled([
      pipe.run(sql('INSERT 1')),
      pipe.run(sql('SELECT 2'), { givesRows: true }),
      pipe.run(sql('COMMIT'), { alone: true }),
    ]);
    await turn();
    void pipe.run(sql('SELECT 2')).catch(() => {});
    await turn();
    expect(wire.writes.map(typesIn)).toEqual(['PBEPBDESPBES', 'PBES']);
    client.connection.stream.destroy(new Error('done'));
    await outcomes;
  });

  it('gives the messages of the server to the groups in the order in which they were sent', async () => {
    const inserted = pipe.run(sql('INSERT 1'));
    const selected = pipe.run(sql('SELECT 2'), { givesRows: true });
    const committed = pipe.run(sql('COMMIT'), { alone: true });
    for (const type of '12') wire.say(type);
    wire.say('C', 'INSERT 0 1\0');
    for (const type of '12') wire.say(type);
    // One column named `n` of type int4, and a row with 7.
    wire.say('T', Buffer.from('00016e00000000000000000000170004ffffffff0000', 'hex'));
    wire.say('D', Buffer.from('00010000000137', 'hex'));
    wire.say('C', 'SELECT 1\0');
    ready(wire);
    expect(await Promise.all([inserted, selected])).toEqual([
      { rows: [], tag: 'INSERT 0 1' },
      { rows: [{ n: 7 }], tag: 'SELECT 1' },
    ]);
    for (const type of '12') wire.say(type);
    wire.say('C', 'COMMIT\0');
    ready(wire);
    expect(await committed).toEqual({ rows: [], tag: 'COMMIT' });
  });

  it('reports an error of the server to its group alone, with its code', async () => {
    const failing = Promise.allSettled([pipe.run(sql('A')), pipe.run(sql('B'))]);
    const behind = pipe.run(sql('COMMIT'), { alone: true });
    wire.say('E', 'SERROR\0C23505\0Mtaken\0\0');
    ready(wire);
    expect(await failing).toMatchObject([{ reason: { code: '23505' } }, { reason: { code: '23505' } }]);
    for (const type of '12') wire.say(type);
    wire.say('C', 'ROLLBACK\0');
    ready(wire);
    expect(await behind).toEqual({ rows: [], tag: 'ROLLBACK' });
  });

  it('fails all groups that wait when the stream of its connection is destroyed', async () => {
    const outcomes = Promise.allSettled([pipe.run(sql('A')), pipe.run(sql('COMMIT'), { alone: true })]);
    client.connection.stream.destroy(new Error('silent'));
    expect(await outcomes).toMatchObject([
      { reason: { message: 'silent' } },
      { reason: { message: 'silent' } },
    ]);
  });

  it('synchronises after each of its own queries, which a transaction sent as one message must not', async () => {
    const outcomes = Promise.allSettled([client.query('A', [1]), client.query('B', [1])]);
    await turn();
    expect(wire.writes.map(typesIn).join('')).toBe('PBDESPBDES');
    client.connection.stream.destroy(new Error('done'));
    await outcomes;
  });

  it('pipelines no query of a class that does not extend its own', async () => {
    const refused = new Promise((resolve) => {
      client.query({ submit: () => undefined, handleError: resolve } as never);
    });
    expect(String(await refused)).toMatch(/not supported in pipeline mode/);
  });
});
