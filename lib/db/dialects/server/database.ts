import { type LrsErrorOptions, OutageError, UnavailableError } from '../../../errors.ts';
import { Gate } from '../../gate.ts';
import type { HostAddress } from '../../host-address.ts';
import { PipelinedTransaction } from '../../pipelined-transaction.ts';
import { withRetry } from '../../retry.ts';
import type {
  BatchCheck,
  Batches,
  BatchResult,
  MigratableDatabase,
  ReadOptions,
  ReadSession,
  TryLockRead,
  WriteOptions,
  WriteSession,
} from '../../types.ts';
import { DatabaseUnusableError } from '../../unusable.ts';
import type { WriteTarget } from '../../write-target.ts';
import { generalAdvice } from './connection-advice.ts';
import type { ConnectionSource } from './connection-source.ts';
import type {
  DriverConnection,
  ServerBatch,
  ServerConnection,
  ServerDialect,
  ServerEngine,
} from './engine.ts';
import { NoHostError, SilentHostsError } from './network-error.ts';
import type { Replicas } from './replicas.ts';
import type { Replication } from './replication.ts';
import { requireStandbys, StandbyWait } from './standby-wait.ts';
import { outcomeOf, transact } from './transact.ts';

/** None of several hosts answers, until one is started or the network is mended. */
class SilentHostsOutage extends OutageError {
  override readonly begins =
    'none of the hosts of the database answers; requests that need it are answered 503';
  override readonly ends = 'a host of the database answers again';

  constructor(options: LrsErrorOptions) {
    super('None of the hosts of the database answers.', options);
  }
}

/** The sources of writing and of reading connections. */
interface Connections {
  readonly writer: ConnectionSource;
  readonly reader: ConnectionSource;
  /** Whether reads have connections of their own. */
  readonly readsApart?: boolean;
  /** The timeout of a transaction or read, in milliseconds. */
  readonly transactionTimeout: number;
  /** Makes the replicas that serve reads, once the kind of the server is known; undefined: there are none. */
  readonly replicas?: ((database: ServerDatabase) => Replicas) | undefined;
}

/**
 * A database on a server: one connection that writes, one transaction at a time, and others that only read. Writing
 * transactions of all processes are serialised by the write lock (docs/decisions/0012-postgres-and-mariadb.md).
 */
export class ServerDatabase implements MigratableDatabase {
  readonly dialect: ServerDialect;
  readonly #engine: ServerEngine;
  readonly #gate = new Gate();
  readonly #largeReads = new Gate();
  readonly #writer: ConnectionSource;
  readonly #reader: ConnectionSource;
  readonly #standbys: StandbyWait;
  readonly #transactionTimeout: number;
  readonly #makeReplicas: Connections['replicas'];
  #replicas: Replicas | undefined;

  /** Opens no connection yet. */
  constructor(engine: ServerEngine, connections: Connections) {
    const { writer, reader, readsApart = false, transactionTimeout, replicas } = connections;
    this.dialect = engine.dialect;
    this.#engine = engine;
    this.#writer = writer;
    this.#reader = reader;
    this.#standbys = new StandbyWait(engine, readsApart ? reader : undefined, transactionTimeout);
    this.#transactionTimeout = transactionTimeout;
    this.#makeReplicas = replicas;
  }

  get batches(): Batches | undefined {
    const { batches } = this.#engine;
    if (batches === undefined) return undefined;
    return {
      maximumBytes: batches.maximumBytes,
      send: async (fill) => {
        const batch = batches.create();
        return this.#sendBatch(batch, await fill(batch));
      },
    };
  }

  get replicas(): Replicas | undefined {
    return this.#replicas;
  }

  get replication(): Replication | undefined {
    return this.#engine.replication;
  }

  get writeTarget(): WriteTarget {
    return this.#engine.hosts;
  }

  get host(): HostAddress {
    return this.#engine.hosts.current;
  }

  /**
   * Checks that the server can be used.
   * @throws UnavailableError when it cannot be reached; DatabaseUnusableError when it refuses, or is too old.
   */
  async connect(): Promise<void> {
    try {
      await this.#writer.use((connection) => this.#engine.check(connection));
    } catch (error) {
      throw this.explained(error);
    }
    this.#replicas = this.#makeReplicas?.(this);
  }

  /** A connection failure, with advice. */
  explained(error: unknown): Error {
    if (error instanceof DatabaseUnusableError || error instanceof UnavailableError) return error;
    const advice = this.#engine.advice(error);
    const mistaken = this.dialect.isMissing(error) || !this.dialect.isUnavailable(error);
    if (advice !== undefined && mistaken) return new DatabaseUnusableError(advice, { cause: error });
    const cause = new DatabaseUnusableError(advice ?? generalAdvice(error, this.#engine.hosts), {
      cause: error,
    });
    return new UnavailableError(
      error instanceof SilentHostsError ? error.message : 'The database is out of reach.',
      { cause },
    );
  }

  read<T>(
    work: (session: ReadSession) => Promise<T>,
    { maintenance = false, large = false, byKey = false, mayUseReplica = false }: ReadOptions = {},
  ): Promise<T> {
    const pool = this.#reader;
    const onConnection = (connection: ServerConnection, lent: DriverConnection): Promise<T> =>
      work(pool.session(connection, lent));
    const attempt = (): Promise<T> => {
      if (maintenance) return pool.lendForMaintenance(onConnection);
      return byKey ? pool.share(onConnection) : pool.use(onConnection);
    };
    const onPrimary = (): Promise<T> => this.#retried(attempt);
    const replicas = mayUseReplica && !maintenance ? this.#replicas : undefined;
    const attempts = replicas === undefined ? onPrimary : () => replicas.read({ work, byKey }, onPrimary);
    if (!large) return attempts();
    const asked = performance.now();
    return this.#largeReads.exclusive(() => {
      this.#refuseLate(asked);
      return attempts();
    });
  }

  write<T>(
    work: (session: WriteSession) => Promise<T>,
    { readsFirst = false }: WriteOptions = {},
  ): Promise<T> {
    return this.#pipelined((connection, lent, transaction) =>
      transact(connection, transaction, this.dialect, async () => {
        if (!readsFirst) await transaction.begun;
        return work(this.#writeSession(connection, lent, transaction));
      }),
    );
  }

  tryLockRead<Row extends object>(sql: string): Promise<TryLockRead<Row>> {
    const work = async (session: ReadSession): Promise<TryLockRead<Row>> => {
      if (this.dialect.isReplicated) return { row: (await session.select<Row>(sql))[0], unlocked: false };
      const [row] = await session.select<Row & { unlocked: number | boolean }>(
        `SELECT found.*, ${this.dialect.unlockedSql} AS unlocked FROM (${sql}) found`,
      );
      return { row, unlocked: Boolean(row?.unlocked) };
    };
    return this.read(work, { byKey: true });
  }

  #sendBatch<Row extends object>(batch: ServerBatch, check: BatchCheck): Promise<BatchResult<Row>> {
    return this.#pipelined(async (_, lent, transaction) => {
      batch.attachTo(transaction);
      await batch.prepareOn?.(lent, check);
      try {
        const result = await batch.sendOn<Row>(lent, check, () => transaction.commitSent());
        if (result.first !== undefined) transaction.committed();
        return result;
      } catch (error) {
        throw outcomeOf(error, this.dialect);
      }
    });
  }

  /**
   * Runs a transaction when no other one of this process is before its COMMIT. The next one follows on the same connection
   * while this one may still wait for its result.
   */
  #pipelined<T>(
    attempt: (
      connection: ServerConnection,
      lent: DriverConnection,
      transaction: PipelinedTransaction,
    ) => Promise<T>,
  ): Promise<T> {
    const asked = performance.now();
    return this.#standbys.watching((noteLent) =>
      this.#retried(async () => {
        const { outcome } = await this.#gate.exclusive(async () => {
          this.#refuseLate(asked);
          if (this.#standbys.isWaiting) await this.#standbys.requireNone();
          const transaction = new PipelinedTransaction();
          const outcome = this.#writer.share((connection, lent) => {
            noteLent(lent);
            return attempt(connection, lent, transaction);
          });
          await Promise.race([transaction.committing, outcome.catch(() => {})]);
          return { outcome };
        });
        return outcome;
      }),
    );
  }

  /** A server that was the primary when its connection was opened may have become a standby. */
  #retried<T>(work: () => Promise<T>): Promise<T> {
    const { hosts } = this.#engine;
    return withRetry(this.dialect, work, {
      movesOn: (error) => hosts.areSeveral && this.dialect.isReadOnly(error),
      advice: (error) => this.#engine.advice(error),
      outage: (error, cause) => this.#outage(error, cause),
    });
  }

  #outage(error: unknown, options: LrsErrorOptions): OutageError | undefined {
    if (error instanceof SilentHostsError) return new SilentHostsOutage(options);
    // No host accepts writes: one has to be promoted, or the cluster mended.
    const refusesWrites = error instanceof NoHostError || this.dialect.isReadOnly(error);
    return refusesWrites ? new OutageError('The database is out of reach.', options) : undefined;
  }

  /**
   * While the server does not respond, each transaction or read fails only after its own timeout; the waiting ones must not
   * time out one after the other.
   */
  #refuseLate(asked: number): void {
    if (performance.now() - asked > this.#transactionTimeout) {
      throw new UnavailableError('The database is too slow or out of reach; try again in a moment.');
    }
  }

  requireStandbys(): Promise<void> {
    return this.read((session) => requireStandbys(session, this.dialect));
  }

  migrate<T>(work: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.#standbys.watching((noteLent) => {
      const attempt = async (connection: ServerConnection, lent: DriverConnection): Promise<T> => {
        const transaction = new PipelinedTransaction();
        const result = await connection.migrate(async () => {
          const worked = await work(this.#writeSession(connection, lent, transaction));
          await transaction.ended();
          // Before that, which may take hours, other commits that wait are no reason to give up.
          noteLent(lent);
          return worked;
        });
        transaction.committed();
        return result;
      };
      return this.#retried(() =>
        this.#gate.exclusive(async () => {
          if (this.#standbys.isWaiting) await this.#standbys.requireNone();
          return this.#writer.lendForMaintenance(attempt);
        }),
      );
    });
  }

  #writeSession(
    connection: ServerConnection,
    lent: DriverConnection,
    transaction: PipelinedTransaction,
  ): WriteSession {
    return Object.assign(this.#writer.session(connection, lent, transaction), transaction.hooks);
  }

  /** Waits for the running transaction, then closes. */
  async close(): Promise<void> {
    await this.#replicas?.close();
    await this.#gate.exclusive(async () => {
      await this.#reader.close();
      await this.#writer.close();
    });
  }
}
