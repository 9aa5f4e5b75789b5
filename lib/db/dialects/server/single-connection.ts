import type { Sequelize, Transaction } from 'sequelize';
import { UnavailableError } from '../../../errors.ts';
import { Gate } from '../../gate.ts';
import type { HostAddress } from '../../host-address.ts';
import type { ConnectionSource, ConnectionWork } from './connection-source.ts';
import { type Access, type DriverConnection, isSpent, plainSession, type ServerEngine } from './engine.ts';
import type { PoolOptions } from './options.ts';

/** What Sequelize needs of a transaction that it did not begin: the connection for its queries. */
class LentTransaction {
  readonly connection: DriverConnection;

  constructor(connection: DriverConnection) {
    this.connection = connection;
  }
}

/**
 * The single connection of a function, or of a server with a pool of one, for reading and writing, one piece of work at a
 * time. Sequelize is loaded only when a model is used. A connection in an unknown state is closed, never used again.
 */
export class SingleConnection {
  readonly reader: ConnectionSource;
  readonly writer: ConnectionSource;
  readonly #engine: ServerEngine;
  readonly #options: PoolOptions;
  readonly #gate = new Gate();
  #opened: Promise<DriverConnection> | undefined;
  /** The host of the connection. */
  #address: HostAddress | undefined;
  /** Milliseconds since any moment. */
  #openedAt = 0;
  /** Counts requests whose work was abandoned: none of it continues afterwards. */
  #request = 0;
  /** The number of running and waiting pieces of work. */
  #busy = 0;
  #sequelize: Promise<Sequelize> | undefined;

  /** Opens no connection yet. */
  constructor(engine: ServerEngine, options: PoolOptions) {
    this.#engine = engine;
    this.#options = options;
    this.reader = this.#source('read');
    this.writer = this.#source('write');
  }

  /** Opens the connection unless it is open. @throws as the driver does. */
  async open(): Promise<void> {
    await this.#connection();
  }

  /**
   * Call it after each response: a connection that is still in use would hold its locks as long as the function is frozen,
   * so it is closed, and the server rolls back.
   */
  abandonUnfinished(): void {
    if (this.#busy === 0) return;
    this.#request += 1;
    this.#abandon();
  }

  async #connection(): Promise<DriverConnection> {
    if (this.#opened !== undefined && this.#isTooOld()) await this.#close();
    if (this.#opened === undefined) {
      this.#openedAt = performance.now();
      this.#opened = this.#openToPrimary();
    }
    const opening = this.#opened;
    try {
      return await opening;
    } catch (error) {
      this.#forget(opening);
      throw error;
    }
  }

  #openToPrimary(): Promise<DriverConnection> {
    const { hosts, dialect } = this.#engine;
    return hosts.search(
      async (address) => {
        const connection = await this.#engine.open(address, { isFollowed: true });
        this.#address = address;
        return connection;
      },
      { patience: this.#options.connectionTimeout, dialect },
    );
  }

  #isTooOld(): boolean {
    const { maximumLifetime } = this.#options;
    return maximumLifetime > 0 && performance.now() - this.#openedAt > maximumLifetime;
  }

  #source(access: Access): ConnectionSource {
    const { transactionTimeout, maintenanceTimeout } = this.#options;
    const use = <T>(work: ConnectionWork<T>): Promise<T> => this.#run(access, work, transactionTimeout);
    return {
      use,
      share: use,
      lendForMaintenance: (work) =>
        this.#run(
          access,
          async (connection, lent) => {
            await connection.limitStatements(maintenanceTimeout);
            try {
              return await work(connection, lent);
            } finally {
              // On a connection that is gone it makes no difference.
              await connection.limitStatements(transactionTimeout).catch(() => undefined);
            }
          },
          maintenanceTimeout,
        ),
      session: (connection, lent, transaction) => ({
        ...plainSession(connection, transaction),
        dialect: this.#engine.dialect,
        model: async (table) => {
          const [{ modelOf }, sequelize] = await Promise.all([
            import('../../models.ts'),
            this.#loadSequelize(),
          ]);
          return modelOf(sequelize, table);
        },
        // Sequelize uses nothing else of the class that it declares.
        options: { transaction: new LentTransaction(lent) as unknown as Transaction },
      }),
      close: () => this.#close(),
    };
  }

  /** @param timeout of the work in milliseconds. */
  async #run<T>(access: Access, work: ConnectionWork<T>, timeout: number): Promise<T> {
    this.#busy += 1;
    const request = this.#request;
    const requireSame = (): void => {
      if (request !== this.#request)
        throw new UnavailableError('The request was answered before its work ended.');
    };
    try {
      return await this.#gate.exclusive(async () => {
        requireSame();
        const lent = await this.#connection();
        const timer = setTimeout(() => this.#abandon(), timeout);
        const connection = this.#engine.connection(lent, access);
        try {
          return await work(connection, lent);
        } catch (error) {
          requireSame();
          const { dialect, hosts } = this.#engine;
          hosts.noteError(error, this.#address);
          if (dialect.isReadOnly(error)) hosts.leave(this.#address);
          if (isSpent(error, dialect, connection)) this.#abandon();
          throw error;
        } finally {
          clearTimeout(timer);
        }
      });
    } finally {
      this.#busy -= 1;
    }
  }

  #abandon(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    opened?.then(
      (connection) => this.#engine.abandon(connection),
      () => undefined,
    );
  }

  #forget(opening: Promise<DriverConnection>): void {
    if (this.#opened === opening) this.#opened = undefined;
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    const connection = await opened?.catch(() => undefined);
    if (connection === undefined) return;
    const timer = setTimeout(() => this.#engine.abandon(connection), this.#options.connectionTimeout);
    await this.#engine.end(connection).catch(() => undefined);
    clearTimeout(timer);
  }

  #loadSequelize(): Promise<Sequelize> {
    this.#sequelize ??= this.#createSequelize();
    return this.#sequelize;
  }

  /** A Sequelize instance that opens no connection: it uses the one that a session lends it. */
  async #createSequelize(): Promise<Sequelize> {
    const { Sequelize } = await import('sequelize');
    const sequelize: Sequelize = new Sequelize({
      ...this.#engine.connectionOptions('write'),
      logging: false,
      retry: { max: 1 },
    });
    this.#engine.adaptModels?.(sequelize);
    return sequelize;
  }
}
