import { type Options, type PoolOptions, Sequelize, Transaction } from 'sequelize';
import { defineModels, type Models } from '../models/index.ts';
import type { Replacements, WriteSession } from '../types.ts';
import type { Access, DriverConnection, ServerConnection, ServerEngine } from './server-engine.ts';

type ConnectionWork<T> = (connection: ServerConnection, lent: DriverConnection) => Promise<T>;

/** A connection on its way out of the pool or in use. */
interface Loan {
  readonly lent: Promise<DriverConnection>;
  users: number;
  lost: boolean;
}

/** Connections of one kind. Sequelize pools them and drives them for models; our own SQL goes straight to the driver. */
export class ServerPool {
  readonly #engine: ServerEngine;
  readonly #sequelize: Sequelize;
  readonly #models: Models;
  #shared: Loan | undefined;

  private constructor(engine: ServerEngine, sequelize: Sequelize) {
    this.#engine = engine;
    this.#sequelize = sequelize;
    this.#models = defineModels(sequelize);
  }

  /** Opens no connection yet. */
  static create(engine: ServerEngine, access: Access, pool: PoolOptions): ServerPool {
    // Sequelize does not declare this option; without it, it sets a time zone that nothing here depends on.
    const untouched = { keepDefaultTimezone: true };
    const options: Options = {
      ...untouched,
      ...engine.connectionOptions(access),
      pool,
      logging: false,
      retry: { max: 1 },
    };
    const sequelize = new Sequelize(options);
    engine.adaptModels?.(sequelize);
    sequelize.addHook('afterConnect', (connection) =>
      engine.setUp(engine.connection(connection as DriverConnection), access),
    );
    return new ServerPool(engine, sequelize);
  }

  /** Lends a connection to the work. One that breaks meanwhile is not lent again. */
  use<T>(work: ConnectionWork<T>, access: Access): Promise<T> {
    return this.#on(this.#lend(access), work);
  }

  /** The same, but one connection is lent to all that ask while it is; it answers them in the order in which they send. */
  share<T>(work: ConnectionWork<T>, access: Access): Promise<T> {
    this.#shared ??= this.#lend(access);
    return this.#on(this.#shared, work);
  }

  #lend(access: Access): Loan {
    const lent = this.#sequelize.connectionManager.getConnection({ type: access, useMaster: true });
    return { lent, users: 0, lost: false };
  }

  async #on<T>(loan: Loan, work: ConnectionWork<T>): Promise<T> {
    loan.users += 1;
    try {
      const lent = await loan.lent;
      return await work(this.#engine.connection(lent), lent);
    } catch (error) {
      if (this.#engine.dialect.isConnectionLost(error)) {
        loan.lost = true;
        this.#endSharing(loan);
      }
      throw error;
    } finally {
      loan.users -= 1;
      if (loan.users === 0) await this.#takeBack(loan);
    }
  }

  async #takeBack(loan: Loan): Promise<void> {
    this.#endSharing(loan);
    const lent = await loan.lent.catch(() => undefined);
    if (lent === undefined) return;
    const manager = this.#sequelize.connectionManager;
    if (loan.lost) await manager.destroyConnection(lent).catch(() => {});
    else manager.releaseConnection(lent);
  }

  #endSharing(loan: Loan): void {
    if (this.#shared === loan) this.#shared = undefined;
  }

  /**
   * What reads on the connection, and writes if the pool's may.
   * @param begun the beginning of a transaction: what is read may be asked for before that, but is not told.
   */
  session(
    connection: ServerConnection,
    lent: DriverConnection,
    begun?: Promise<void>,
  ): Omit<WriteSession, 'commitBehind'> {
    const sequelize = this.#sequelize;
    let transaction: Transaction | undefined;
    return {
      dialect: this.#engine.dialect,
      models: this.#models,
      // Models run on a transaction's connection; this one is begun and ended without them.
      get options() {
        transaction ??= Object.assign(new Transaction(sequelize, {}), { connection: lent });
        return { transaction };
      },
      async select<Row extends object>(sql: string, replacements?: Replacements) {
        const [rows] = await Promise.all([connection.select<Row>(sql, replacements), begun]);
        return rows;
      },
      execute: (sql, replacements) => connection.execute(sql, replacements),
      insert: (table, rows, options) => connection.insert(table, rows, options),
      upsert: (table, rows, replaced) => connection.upsert(table, rows, replaced),
      insertByKey: (table, rows) => connection.insertByKey(table, rows),
    };
  }

  close(): Promise<void> {
    return this.#sequelize.close();
  }
}
