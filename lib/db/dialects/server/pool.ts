import { type Options, Sequelize, Transaction } from 'sequelize';
import type { HostAddress } from '../../host-address.ts';
import { modelOf } from '../../models.ts';
import type { PipelinedTransaction } from '../../pipelined-transaction.ts';
import type { TransactionHooks, WriteSession } from '../../types.ts';
import type { ConnectionSource, ConnectionWork } from './connection-source.ts';
import {
  type Access,
  type DriverConnection,
  isSpent,
  plainSession,
  type ServerConnection,
  type ServerEngine,
} from './engine.ts';
import { isAcquireTimeout } from './network-error.ts';
import type { PoolOptions } from './options.ts';
import { replaceConnect, showPool } from './sequelize-internals.ts';
import { limited } from './time-limit.ts';

interface PoolTerms {
  /** The number of connections. */
  readonly size: { readonly max: number; readonly min: number };
  /** Milliseconds after which a shared connection is lent to nobody else. */
  readonly sharedMs: number;
}

/** Milliseconds after which a shared connection for reading is lent to nobody else, so that it returns to the pool. */
const sharedReadMs = 5;

/** A connection that is lent or about to be. */
interface Loan {
  readonly lent: Promise<DriverConnection>;
  /** When it was asked for; milliseconds since any moment. */
  readonly since: number;
  /** Undefined on its way out. */
  connection: DriverConnection | undefined;
  users: number;
  lost: boolean;
}

/** Connections of one kind. Sequelize pools them and uses them for models; our own SQL goes directly to the driver. */
export class ServerPool implements ConnectionSource {
  readonly #engine: ServerEngine;
  readonly #sequelize: Sequelize;
  readonly #access: Access;
  readonly #timeouts: PoolOptions;
  readonly #sharedMs: number;
  /** When each connection was open and set up; milliseconds since any moment. */
  readonly #opened = new WeakMap<DriverConnection, number>();
  /** The host of each connection. */
  readonly #addresses = new WeakMap<DriverConnection, HostAddress>();
  /** Open connections that are not lent. */
  readonly #idle = new Set<DriverConnection>();
  readonly #endGauges: () => void;
  #shared: Loan | undefined;

  /** Opens no connection yet. */
  constructor(engine: ServerEngine, access: Access, options: PoolOptions & PoolTerms) {
    this.#engine = engine;
    this.#access = access;
    this.#timeouts = options;
    this.#sharedMs = options.sharedMs;
    const { size, idleTimeout, connectionTimeout } = options;
    // Whoever waits while a connection searches for its host learns what it has found.
    const acquire =
      connectionTimeout + (engine.hosts.areSeveral ? engine.hosts.timeoutOf(connectionTimeout) : 0);
    const idle = idleTimeout === 0 ? Number.POSITIVE_INFINITY : idleTimeout;
    // Sequelize does not declare this option; without it, it sets a time zone that nothing here depends on.
    const untouched = { keepDefaultTimezone: true };
    const sequelizeOptions: Options = {
      ...untouched,
      ...engine.connectionOptions(access),
      pool: { ...size, idle, acquire },
      logging: false,
      retry: { max: 1 },
    };
    this.#sequelize = new Sequelize(sequelizeOptions);
    engine.adaptModels?.(this.#sequelize);
    this.#chooseHosts();
    this.#limitClosing();
    this.#endGauges = showPool(this.#sequelize);
  }

  /**
   * Each connection searches for its host by itself. Sequelize's pool gives the error of one to whoever has waited longest, for
   * whichever connection, so an error of a single host would mislead.
   */
  #chooseHosts(): void {
    const { hosts, dialect } = this.#engine;
    const search = { patience: this.#timeouts.connectionTimeout, dialect };
    replaceConnect(this.#sequelize, (connect) =>
      hosts.search(async (address) => {
        const password = await this.#engine.password(address);
        const connection = await connect({ ...address, ...(password !== undefined && { password }) });
        await this.#setUp(connection, address);
        return connection;
      }, search),
    );
  }

  /** An unresponsive server must not block opening a connection. */
  async #setUp(connection: DriverConnection, address: HostAddress): Promise<void> {
    this.#addresses.set(connection, address);
    const engine = this.#engine;
    const setUp = engine.setUp(engine.connection(connection, this.#access), this.#access, address);
    try {
      await limited(setUp, engine, connection, engine.hosts.timeoutOf(this.#timeouts.connectionTimeout));
      this.#opened.set(connection, performance.now());
    } catch (error) {
      engine.abandon(connection);
      throw error;
    }
  }

  /** An unresponsive server must not block closing a connection. */
  #limitClosing(): void {
    const { connectionTimeout } = this.#timeouts;
    const closing = new WeakMap<DriverConnection, NodeJS.Timeout>();
    this.#sequelize.addHook('beforeDisconnect', (closed) => {
      const connection = closed as DriverConnection;
      this.#idle.delete(connection);
      closing.set(
        connection,
        setTimeout(() => this.#engine.abandon(connection), connectionTimeout),
      );
    });
    this.#sequelize.addHook('afterDisconnect', (closed) => {
      clearTimeout(closing.get(closed as DriverConnection));
    });
  }

  use<T>(work: ConnectionWork<T>): Promise<T> {
    return this.#on(this.#lend(), work, this.#timeouts.transactionTimeout);
  }

  /** One connection is lent to everybody who asks while it is lent, for a limited time. */
  share<T>(work: ConnectionWork<T>): Promise<T> {
    if (this.#shared !== undefined && this.#isOver(this.#shared)) this.#shared = undefined;
    this.#shared ??= this.#lend();
    return this.#on(this.#shared, work, this.#timeouts.transactionTimeout);
  }

  lendForMaintenance<T>(work: ConnectionWork<T>): Promise<T> {
    const { transactionTimeout, maintenanceTimeout } = this.#timeouts;
    const unhurried: ConnectionWork<T> = async (connection, lent) => {
      await connection.limitStatements(maintenanceTimeout);
      try {
        return await work(connection, lent);
      } finally {
        // On a connection that is gone it makes no difference.
        await connection.limitStatements(transactionTimeout).catch(() => undefined);
      }
    };
    return this.#on(this.#lend(), unhurried, maintenanceTimeout);
  }

  #isOver({ since, connection }: Loan): boolean {
    if (performance.now() - since > this.#sharedMs) return true;
    return connection !== undefined && this.#isTooOld(connection);
  }

  #lend(): Loan {
    const lent = this.#youngConnection();
    return { lent, since: performance.now(), connection: undefined, users: 0, lost: false };
  }

  async #youngConnection(): Promise<DriverConnection> {
    const manager = this.#sequelize.connectionManager;
    for (;;) {
      const connection = await manager
        .getConnection({ type: this.#access, useMaster: true })
        .catch((error: unknown) => {
          // Then the pool is full of connections that are not open yet.
          throw isAcquireTimeout(error) ? (this.#engine.hosts.failure ?? error) : error;
        });
      if (!this.#isTooOld(connection)) return connection;
      await manager.destroyConnection(connection).catch(() => {});
    }
  }

  /** Whether it has to be replaced, as it is old, or of a host that is no longer used. */
  #isTooOld(connection: DriverConnection): boolean {
    const { maximumLifetime } = this.#timeouts;
    if (!this.#engine.hosts.isCurrent(this.#addresses.get(connection))) return true;
    const opened = this.#opened.get(connection);
    return maximumLifetime > 0 && opened !== undefined && performance.now() - opened > maximumLifetime;
  }

  /** @param timeout milliseconds. */
  async #on<T>(loan: Loan, work: ConnectionWork<T>, timeout: number): Promise<T> {
    loan.users += 1;
    let timer: NodeJS.Timeout | undefined;
    let connection: ServerConnection | undefined;
    try {
      const lent = await loan.lent;
      loan.connection = lent;
      this.#idle.delete(lent);
      timer = setTimeout(() => this.#giveUp(loan, lent), timeout);
      connection = this.#engine.connection(lent, this.#access);
      return await work(connection, lent);
    } catch (error) {
      const { dialect, hosts } = this.#engine;
      const address = loan.connection && this.#addresses.get(loan.connection);
      hosts.noteError(error, address);
      if (isSpent(error, dialect, connection)) {
        loan.lost = true;
        this.#endSharing(loan);
      }
      if (dialect.isReadOnly(error)) hosts.leave(address);
      throw error;
    } finally {
      clearTimeout(timer);
      loan.users -= 1;
      if (loan.users === 0) {
        this.#endSharing(loan);
        if (loan.connection !== undefined) await this.#takeBack(loan.connection, loan.lost);
      }
    }
  }

  /** The cause that made one connection unresponsive has probably affected the idle ones too. */
  #giveUp(loan: Loan, lent: DriverConnection): void {
    loan.lost = true;
    this.#endSharing(loan);
    for (const connection of [lent, ...this.#idle]) this.#engine.abandon(connection);
    this.#idle.clear();
  }

  /** @returns a promise only while the connection is being closed. */
  #takeBack(lent: DriverConnection, lost: boolean): Promise<void> | undefined {
    const manager = this.#sequelize.connectionManager;
    if (lost || this.#isTooOld(lent)) return manager.destroyConnection(lent).catch(() => {});
    this.#idle.add(lent);
    manager.releaseConnection(lent);
    return undefined;
  }

  #endSharing(loan: Loan): void {
    if (this.#shared === loan) this.#shared = undefined;
  }

  session(
    connection: ServerConnection,
    lent: DriverConnection,
    pipelined?: PipelinedTransaction,
  ): Omit<WriteSession, keyof TransactionHooks> {
    const sequelize = this.#sequelize;
    let transaction: Transaction | undefined;
    return {
      ...plainSession(connection, pipelined),
      dialect: this.#engine.dialect,
      model: async (table) => modelOf(sequelize, table),
      // Models use the connection of the transaction, which is begun and ended without them.
      get options() {
        transaction ??= Object.assign(new Transaction(sequelize, {}), { connection: lent });
        return { transaction };
      },
    };
  }

  close(): Promise<void> {
    this.#endGauges();
    return this.#sequelize.close();
  }
}

/** The connections of a long-running server: one that writes, one transaction at a time, and others that only read. */
export function pools(engine: ServerEngine, options: PoolOptions) {
  const readers = Math.max(1, options.maximumSize - 1);
  const min = Math.min(options.minimumIdle, readers);
  return {
    writer: new ServerPool(engine, 'write', {
      ...options,
      size: { max: 1, min: 0 },
      sharedMs: Number.POSITIVE_INFINITY,
    }),
    reader: readingPool(engine, { ...options, size: { max: readers, min } }),
    readsApart: true,
    transactionTimeout: options.transactionTimeout,
  };
}

/** Connections that only read. */
export function readingPool(
  engine: ServerEngine,
  options: PoolOptions & Pick<PoolTerms, 'size'>,
): ServerPool {
  return new ServerPool(engine, 'read', { ...options, sharedMs: sharedReadMs });
}
