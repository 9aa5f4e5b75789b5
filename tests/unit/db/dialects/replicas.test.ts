import { afterEach, describe, expect, it } from 'vitest';
import { PostgresDialect } from '../../../../lib/db/dialects/postgres/dialect.ts';
import type {
  ConnectionSource,
  ConnectionWork,
} from '../../../../lib/db/dialects/server/connection-source.ts';
import type { ServerConnection, ServerEngine } from '../../../../lib/db/dialects/server/engine.ts';
import { Replicas } from '../../../../lib/db/dialects/server/replicas.ts';
import type { PrimaryLog, Replication } from '../../../../lib/db/dialects/server/replication.ts';
import { UnavailableError } from '../../../../lib/errors.ts';

/** A replica that is used, and its primary. */
class StandIn {
  readonly replicas: Replicas;
  /** Thrown when the primary is asked for the end of its log. */
  refusal: Error | undefined;
  /** Thrown when a connection of the pool is asked for. */
  poolError: Error | undefined;
  /** Whether a new connection can be opened. */
  opens = true;
  primaryReads = 0;

  constructor() {
    const point = async () => {
      if (this.refusal) throw this.refusal;
      return { lineage: 1, log: '1', at: performance.now() };
    };
    const connection = {
      select: async () => [{ standby: true, log: '1', lineage: 1 }],
    } as unknown as ServerConnection;
    const use = async <T>(work: ConnectionWork<T>): Promise<T> => {
      if (this.poolError) throw this.poolError;
      return work(connection, {});
    };
    const engine = {
      dialect: new PostgresDialect(),
      hosts: { text: 'replica:5432', current: { host: 'replica', port: 5432 } },
      open: async () => {
        if (this.opens) return {};
        throw new Error('timeout expired');
      },
      connection: () => connection,
      abandon: () => {},
      advice: () => undefined,
    } as unknown as ServerEngine;
    const reader = {
      use,
      share: use,
      session: () => ({}),
      close: async () => {},
    } as unknown as ConnectionSource;
    const replication = { hasReplayed: () => true, replicaSql: '' } as unknown as Replication;
    const log = { point, storedPoint: point } as unknown as PrimaryLog;
    this.replicas = new Replicas(log, [{ engine, replication, reader, maxWait: 0 }]);
  }

  async state(): Promise<string | undefined> {
    return (await this.replicas.status())[0]?.state;
  }

  read(work: () => Promise<string>): Promise<string> {
    return this.replicas.read({ work, byKey: false }, async () => {
      this.primaryReads += 1;
      return 'primary';
    });
  }
}

/** What Sequelize throws when no connection of a pool is free in time. */
const acquireTimeout = (): Error =>
  Object.assign(new Error(), { name: 'SequelizeConnectionAcquireTimeoutError' });
const statementTimeout = (): Error => Object.assign(new Error(), { code: '57014' });
const brokenPage = (): Error => Object.assign(new Error(), { code: 'XX001' });

describe('reads with replicas', () => {
  const opened: StandIn[] = [];
  const usedReplica = async (): Promise<StandIn> => {
    const standIn = new StandIn();
    opened.push(standIn);
    expect(await standIn.state()).toBe('used');
    return standIn;
  };
  afterEach(async () => {
    for (const { replicas } of opened.splice(0)) await replicas.close();
  });

  it('fail without a second question to a primary that could not be asked for the end of its log', async () => {
    const standIn = await usedReplica();
    standIn.refusal = new UnavailableError('The database is out of reach.');
    await expect(standIn.read(async () => 'replica')).rejects.toBe(standIn.refusal);
    expect(standIn.primaryReads).toBe(0);
  });

  it('go to the primary when a statement takes too long on a replica, which stays in use', async () => {
    const standIn = await usedReplica();
    expect(await standIn.read(() => Promise.reject(statementTimeout()))).toBe('primary');
    expect(await standIn.read(async () => 'replica')).toBe('replica');
  });

  it('go to the primary when a replica fails, which is then left out', async () => {
    const standIn = await usedReplica();
    expect(await standIn.read(() => Promise.reject(brokenPage()))).toBe('primary');
    expect(await standIn.state()).toBe('unreachable');
    expect(await standIn.read(async () => 'replica')).toBe('primary');
  });

  it('fail when they fail on the primary, too, and the replica stays in use', async () => {
    const standIn = await usedReplica();
    const failure = new Error('on the primary');
    const read = standIn.replicas.read({ work: () => Promise.reject(brokenPage()), byKey: false }, () =>
      Promise.reject(failure),
    );
    await expect(read).rejects.toBe(failure);
    expect(await standIn.read(async () => 'replica')).toBe('replica');
  });

  it('leave a replica to which no connection can be opened, but not one whose connections are all in use', async () => {
    const standIn = await usedReplica();
    standIn.poolError = acquireTimeout();
    expect(await standIn.read(async () => 'replica')).toBe('primary');
    expect(await standIn.state()).toBe('used');
    standIn.opens = false;
    expect(await standIn.read(async () => 'replica')).toBe('primary');
    await expect.poll(() => standIn.state()).toBe('unreachable');
  });
});
