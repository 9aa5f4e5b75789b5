import { UnavailableError } from '../../errors.ts';
import { CommitOutcomeUnknownError } from '../commit-outcome.ts';
import { Gate } from '../gate.ts';
import { withRetry } from '../retry.ts';
import { Trail } from '../trail.ts';
import type {
  Batches,
  Glance,
  Look,
  MigratableDatabase,
  ReadOptions,
  ReadSession,
  Seen,
  WriteOptions,
  WriteSession,
} from '../types.ts';
import { DatabaseUnusableError } from '../unusable.ts';
import { driverCode } from './driver-error.ts';
import type {
  DriverConnection,
  ServerBatch,
  ServerConnection,
  ServerDialect,
  ServerEngine,
} from './server-engine.ts';
import type { PoolOptions } from './server-options.ts';
import { ServerPool } from './server-pool.ts';

/**
 * A database on a server: one connection that writes, one transaction at a time, and others that only read. Transactions
 * that write take turns among all processes too (docs/decisions/0012-postgres-and-mariadb.md).
 */
export class ServerDatabase implements MigratableDatabase {
  readonly dialect: ServerDialect;
  readonly batches: Batches | undefined;
  readonly #engine: ServerEngine;
  readonly #gate = new Gate();
  readonly #largeReads = new Gate();
  readonly #writer: ServerPool;
  readonly #reader: ServerPool;
  readonly #transactionTimeout: number;

  /** Opens no connection yet. */
  constructor(engine: ServerEngine, pool: PoolOptions) {
    this.dialect = engine.dialect;
    this.#engine = engine;
    const readers = Math.max(1, pool.maximumSize - 1);
    const min = Math.min(pool.minimumIdle, readers);
    this.#writer = new ServerPool(engine, 'write', { ...pool, size: { max: 1, min: 0 } });
    this.#reader = new ServerPool(engine, 'read', { ...pool, size: { max: readers, min } });
    this.#transactionTimeout = pool.transactionTimeout;
    const { createBatch } = engine;
    if (createBatch === undefined) return;
    this.batches = {
      send: async (fill, options) => {
        const batch = createBatch();
        return this.#sendBatch(batch, await fill(batch), options);
      },
    };
  }

  /**
   * Looks whether the server can be used.
   * @throws UnavailableError when it can't be reached; DatabaseUnusableError when it refuses, or is too old.
   */
  async connect(): Promise<void> {
    try {
      await this.#writer.use((connection) => this.#engine.check(connection));
    } catch (error) {
      if (error instanceof DatabaseUnusableError) throw error;
      const advice = this.#engine.advice(error);
      const mistaken = this.dialect.isMissing(error) || !this.dialect.isUnavailable(error);
      if (advice !== undefined && mistaken) {
        throw new DatabaseUnusableError(advice, { cause: error });
      }
      const cause = new DatabaseUnusableError(advice ?? generalAdvice(error), { cause: error });
      throw new UnavailableError('The database is out of reach.', { cause });
    }
  }

  read<T>(
    work: (session: ReadSession) => Promise<T>,
    { maintenance = false, large = false }: ReadOptions = {},
  ): Promise<T> {
    const pool = this.#reader;
    const onConnection = (connection: ServerConnection, lent: DriverConnection): Promise<T> =>
      work(pool.session(connection, lent));
    const attempts = (): Promise<T> =>
      withRetry(this.dialect, () =>
        maintenance ? pool.lendForMaintenance(onConnection) : pool.use(onConnection),
      );
    if (!large) return attempts();
    const asked = performance.now();
    return this.#largeReads.exclusive(() => {
      this.#refuseLate(asked);
      return attempts();
    });
  }

  write<T>(
    work: (session: WriteSession) => Promise<T>,
    { readsFirst = false, onCommitSent }: WriteOptions = {},
  ): Promise<T> {
    const attempt = (connection: ServerConnection, lent: DriverConnection, leave: () => void): Promise<T> => {
      const onSent = (): void => {
        leave();
        onCommitSent?.();
      };
      // Work that has left may still wait for the outcome of its commit while the next one uses the same connection.
      return this.#transact(connection, onSent, async (begun, trail) => {
        if (!readsFirst) await begun;
        return work(this.#writeSession(connection, lent, trail, begun));
      });
    };
    const asked = performance.now();
    return withRetry(this.dialect, () =>
      this.#gate.exclusive((leave) => {
        this.#refuseLate(asked);
        return this.#writer.share((connection, lent) => attempt(connection, lent, leave));
      }),
    );
  }

  glance<Row extends object>(sql: string): Promise<Glance<Row>> {
    return this.read(async (session) => {
      const [row] = await session.select<Row & { unlocked: number | boolean }>(
        `SELECT look.*, ${this.dialect.unlockedSql} AS unlocked FROM (${sql}) look`,
      );
      return { row, unlocked: Boolean(row?.unlocked) };
    });
  }

  #sendBatch<Row extends object>(
    batch: ServerBatch,
    look: Look,
    { onCommitSent }: Pick<WriteOptions, 'onCommitSent'> = {},
  ): Promise<Seen<Row>> {
    const attempt = async (lent: DriverConnection, leave: () => void): Promise<Seen<Row>> => {
      const answered = batch.sendOn<Row>(lent, look, onCommitSent);
      leave();
      try {
        return await answered;
      } catch (error) {
        throw this.#outcomeOf(error);
      }
    };
    const asked = performance.now();
    return withRetry(this.dialect, () =>
      this.#gate.exclusive((leave) => {
        this.#refuseLate(asked);
        return this.#writer.share((_, lent) => attempt(lent, leave));
      }),
    );
  }

  /** While the server is silent each transaction or read fails only after its own timeout; those that wait must not all wait one after the other. */
  #refuseLate(asked: number): void {
    if (performance.now() - asked > this.#transactionTimeout) {
      throw new UnavailableError('The database is too slow or out of reach; try again in a moment.');
    }
  }

  migrate<T>(work: (session: WriteSession) => Promise<T>): Promise<T> {
    const attempt = (connection: ServerConnection, lent: DriverConnection): Promise<T> =>
      connection.migrate(async () => {
        const trail = new Trail();
        const result = await work(this.#writeSession(connection, lent, trail));
        await trail.ended();
        return result;
      });
    return withRetry(this.dialect, () =>
      this.#gate.exclusive(() => this.#writer.lendForMaintenance(attempt)),
    );
  }

  #writeSession(
    connection: ServerConnection,
    lent: DriverConnection,
    trail: Trail,
    begun?: Promise<void>,
  ): WriteSession {
    const session = this.#writer.session(connection, lent, begun);
    return Object.assign(session, { commitBehind: (write: Promise<void>) => trail.add(write) });
  }

  /** Waits for the running transaction, then closes. */
  async close(): Promise<void> {
    await this.#gate.exclusive(async () => {
      await this.#reader.close();
      await this.#writer.close();
    });
  }

  async #transact<T>(
    connection: ServerConnection,
    onCommitSent: () => void,
    work: (begun: Promise<void>, trail: Trail) => Promise<T>,
  ): Promise<T> {
    const trail = new Trail();
    let result: T;
    try {
      const begun = connection.begin();
      // What it fails for reaches the work too, which may have its own to say about it.
      begun.catch(() => {});
      result = await work(begun, trail);
      await begun;
      if (!this.dialect.failureUndoesTransaction) await trail.ended();
    } catch (error) {
      await trail.settled();
      // A connection that is gone has rolled back by itself.
      await connection.rollback().catch(() => undefined);
      throw error;
    }
    const committed = this.#commit(connection);
    onCommitSent();
    try {
      await committed;
    } catch (error) {
      // What failed before the commit tells why there was none, but not when nobody knows whether there was one.
      if (!(error instanceof UnavailableError)) await trail.ended();
      throw error;
    }
    return result;
  }

  async #commit(connection: ServerConnection): Promise<void> {
    try {
      await connection.commit();
    } catch (error) {
      throw this.#outcomeOf(error);
    }
  }

  /** Whether a commit took place can't be known when the connection is lost meanwhile, so it must not be tried again. */
  #outcomeOf(error: unknown): unknown {
    return this.dialect.isConnectionLost(error) ? new CommitOutcomeUnknownError({ cause: error }) : error;
  }
}

/** For a failure to connect that nobody has foreseen. */
function generalAdvice(error: unknown): string {
  const code = driverCode(error);
  const reason = code === '' ? '' : ` (${code})`;
  return `The connection to the database server failed${reason}: check dbHost, dbPort, dbUser and dbProperties, and the server's log.`;
}
