import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { PostgresDialect } from '../../../../../lib/db/dialects/postgres/dialect.ts';
import { driverModule } from '../../../../../lib/db/dialects/postgres/models.ts';

describe('the Postgres driver', () => {
  it('does not end the process when a connection breaks before anybody listens to it', () => {
    const { Client } = driverModule(pg, () => {}) as { Client: typeof pg.Client };
    expect(() => new Client({}).emit('error', new Error('broken'))).not.toThrow();
  });
});

describe('the Postgres dialect', () => {
  it('takes a server that does not answer in time for one that is out of reach', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 50 });
    const error = await client.connect().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(new PostgresDialect().isUnavailable(error)).toBe(true);
    silent.close();
  });

  it('does not take any other error for that', () => {
    expect(new PostgresDialect().isUnavailable(new Error('syntax error'))).toBe(false);
  });
});
