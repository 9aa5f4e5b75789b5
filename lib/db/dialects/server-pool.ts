import { type Options, type PoolOptions, Sequelize, Transaction } from 'sequelize';
import { defineModels, type Models } from '../models/index.ts';
import type { ReadSession, Replacements, WriteSession } from '../types.ts';
import type { Access, DriverConnection, ServerConnection, ServerEngine } from './server-engine.ts';

/** Connections of one kind. Sequelize pools them and drives them for models; our own SQL goes straight to the driver. */
export class ServerPool {
  readonly #engine: ServerEngine;
  readonly #sequelize: Sequelize;
  readonly #models: Models;

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
  async use<T>(
    work: (connection: ServerConnection, lent: DriverConnection) => Promise<T>,
    access: Access,
  ): Promise<T> {
    const manager = this.#sequelize.connectionManager;
    const lent = await manager.getConnection({ type: access, useMaster: true });
    try {
      const result = await work(this.#engine.connection(lent), lent);
      manager.releaseConnection(lent);
      return result;
    } catch (error) {
      if (this.#engine.dialect.isConnectionLost(error)) await manager.destroyConnection(lent).catch(() => {});
      else manager.releaseConnection(lent);
      throw error;
    }
  }

  /**
   * What reads on the connection, and writes if the pool's may.
   * @param begun the beginning of a transaction: what is read may be asked for before that, but is not told.
   */
  session(
    connection: ServerConnection,
    lent: DriverConnection,
    begun?: Promise<void>,
  ): ReadSession & WriteSession {
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
