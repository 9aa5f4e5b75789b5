import type pgModule from 'pg';
import type { Options } from 'sequelize';
import type { HostAddress } from '../../host-address.ts';
import { DatabaseUnusableError } from '../../unusable.ts';
import { driverCode, driverError } from '../driver-error.ts';
import { connectionAdvice, readOnlyAdvice } from '../server/connection-advice.ts';
import type { Access, DriverConnection, ServerConnection, ServerEngine } from '../server/engine.ts';
import type { DatabaseHosts } from '../server/hosts.ts';
import { NotPrimaryError, ResponseTimeoutError } from '../server/network-error.ts';
import { hostsOf, passwordOf, type ServerOptions } from '../server/options.ts';
import { startEpochs } from '../server/standby-wait.ts';
import { limited } from '../server/time-limit.ts';
import { tlsConnectionOptions } from '../server/tls-files.ts';
import { PostgresBatch } from './batch.ts';
import { type LocalSettings, PostgresConnection } from './connection.ts';
import { PostgresDialect, quoted, readOnlyCode } from './dialect.ts';
import { clientClass, driverModule, keepTexts, typesOf } from './models.ts';
import { PostgresPipe } from './pipe.ts';
import { postgresReplication } from './replication.ts';
import {
  idleTransactionTimeout,
  keepaliveSettings,
  lockTimeout,
  plannerSettings,
  setLocally,
  startupOptions,
  timeoutSettings,
} from './settings.ts';
import { batchSql } from './sql.ts';
import { syncGroupClass } from './sync-group.ts';

const oldestVersion = 130_000;

/** Postgres. The driver is loaded by `load`. */
export class PostgresEngine implements ServerEngine {
  readonly dialect = new PostgresDialect();
  readonly #batchSql = batchSql((position) => this.dialect.momentOf(position));
  readonly #options: ServerOptions;
  readonly #driver: typeof pgModule;
  readonly #SyncGroup: ReturnType<typeof syncGroupClass>;
  readonly #types: pgModule.CustomTypesConfig;
  readonly hosts: DatabaseHosts;
  readonly #pipes = new WeakMap<DriverConnection, PostgresPipe>();
  /** Connections whose session has no settings that depend on whether it reads or writes. */
  readonly #withoutSetUp = new WeakSet<DriverConnection>();
  /** Limits what Sequelize sends on a new connection before it hands it over. */
  readonly #openings = new WeakMap<DriverConnection, NodeJS.Timeout>();

  private constructor(options: ServerOptions, driver: typeof pgModule) {
    this.#options = options;
    this.hosts = hostsOf(options);
    this.dialect.isReplicated = this.hosts.areSeveral;
    this.#driver = driver;
    this.#SyncGroup = syncGroupClass(driver);
    this.#types = typesOf(driver);
  }

  static async load(options: ServerOptions): Promise<PostgresEngine> {
    return new PostgresEngine(options, (await import('pg')).default);
  }

  password(address: HostAddress): Promise<string | undefined> {
    return passwordOf(this.#options, address);
  }

  connectionOptions(): Options {
    const { dbName, dbUser, tls, pool, dbPooler } = this.#options;
    // Sequelize does not declare this option; without it, it opens a connection just to ask for the version.
    const known = { databaseVersion: '13.0.0' };
    const timeouts = {
      lock_timeout: lockTimeout,
      idle_in_transaction_session_timeout: idleTransactionTimeout,
      statement_timeout: pool.transactionTimeout,
    };
    return {
      ...known,
      dialect: 'postgres',
      dialectModule: driverModule(this.#driver, (client) => {
        this.#openings.set(
          client,
          setTimeout(() => this.abandon(client), this.hosts.timeoutOf(pool.connectionTimeout)),
        );
      }),
      database: dbName,
      username: dbUser,
      dialectOptions: {
        application_name: 'serverless-lrs',
        connectionTimeoutMillis: this.hosts.timeoutOf(pool.connectionTimeout),
        keepAlive: true,
        // What Sequelize would set on each new connection.
        ...(dbPooler ? { clientMinMessages: false } : timeouts),
        ...(tls && { ssl: tlsConnectionOptions(tls) }),
      },
    };
  }

  readonly adaptModels = keepTexts;

  readonly replication = postgresReplication;

  /**
   * The session's settings are sent in the startup message; those that depend on reading or writing belong to transactions.
   */
  async open(address: HostAddress): Promise<DriverConnection> {
    const { dbName, dbUser, dbPooler, dbSchema, tls, pool } = this.#options;
    const session = {
      ...keepaliveSettings,
      ...timeoutSettings(pool.transactionTimeout),
      ...(dbSchema !== undefined && { search_path: quoted(dbSchema) }),
    };
    const password = await this.password(address);
    const Client = clientClass(this.#driver);
    const client = new Client({
      ...address,
      database: dbName,
      user: dbUser,
      ...(password !== undefined && { password }),
      application_name: 'serverless-lrs',
      connectionTimeoutMillis: this.hosts.timeoutOf(pool.connectionTimeout),
      keepAlive: true,
      ...(!dbPooler && { options: startupOptions(session) }),
      ...(tls && { ssl: tlsConnectionOptions(tls) }),
    });
    await client.connect();
    this.#withoutSetUp.add(client);
    try {
      const connection = new PostgresConnection(this.#pipeOf(client));
      const checked = this.#requirePrimary(connection).then(() => this.#noteMove(connection, address));
      await limited(checked, this, client, this.hosts.timeoutOf(pool.connectionTimeout));
    } catch (error) {
      this.abandon(client);
      throw error;
    }
    return client;
  }

  #noteMove(connection: ServerConnection, address: HostAddress): Promise<void> {
    return this.hosts.afterMove(address, () => startEpochs(connection, this.dialect));
  }

  /** To be called before the connection is set to read only. */
  async #requirePrimary(connection: ServerConnection): Promise<void> {
    if (!this.hosts.areSeveral) return;
    const [row] = await connection.select<{ standby: boolean }>(
      "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS standby",
    );
    if (row?.standby !== false) throw new NotPrimaryError();
  }

  async end(connection: DriverConnection): Promise<void> {
    await (connection as pgModule.Client).end();
  }

  connection(connection: DriverConnection, access: Access): ServerConnection {
    const unlimitedCommit = this.dialect.isReplicated;
    const settings = { ...this.#localSettings(connection, access), unlimitedCommit };
    return new PostgresConnection(this.#pipeOf(connection), settings);
  }

  readonly batches = {
    create: (): PostgresBatch =>
      new PostgresBatch(
        this.dialect,
        this.#batchSql,
        (connection) => this.#pipeOf(connection),
        (connection) => this.#localSettings(connection, 'write').settings,
      ),
    maximumBytes: Number.POSITIVE_INFINITY,
  };

  /** The settings of a transaction, where the session has none. */
  #localSettings(connection: DriverConnection, access: Access): LocalSettings {
    const { dbPooler, pool } = this.#options;
    if (!dbPooler && !this.#withoutSetUp.has(connection)) return {};
    const planner = {
      ...plannerSettings[access],
      ...(access === 'read' && { transaction_read_only: 'on' }),
    };
    if (!dbPooler) return { settings: setLocally(planner) };
    const limited = (milliseconds: number) => setLocally({ ...planner, ...timeoutSettings(milliseconds) });
    return { settings: limited(pool.transactionTimeout), limited };
  }

  #pipeOf(connection: DriverConnection): PostgresPipe {
    const known = this.#pipes.get(connection);
    if (known !== undefined) return known;
    clearTimeout(this.#openings.get(connection));
    const keepsPrepared = this.#options.dbPooler !== true;
    // Sequelize declares only an object; it is a connection of the given driver.
    const pipe = new PostgresPipe(connection as pgModule.Client, this.#SyncGroup, this.#types, keepsPrepared);
    this.#pipes.set(connection, pipe);
    return pipe;
  }

  async setUp(connection: ServerConnection, access: Access, address: HostAddress): Promise<void> {
    const { dbSchema, dbPooler } = this.#options;
    if (dbPooler) {
      await this.#requirePrimary(connection);
      if (access === 'write') await this.#noteMove(connection, address);
      return;
    }
    const settings = {
      ...(dbSchema !== undefined && { search_path: quoted(dbSchema) }),
      ...keepaliveSettings,
      ...plannerSettings[access],
      ...(access === 'read' && { default_transaction_read_only: 'on' }),
    };
    // Pipelined; the responses arrive in order.
    await Promise.all([
      this.#requirePrimary(connection),
      ...Object.entries(settings).map(([name, value]) => connection.execute(`SET ${name} TO ${value}`)),
    ]);
    if (access === 'write') await this.#noteMove(connection, address);
  }

  abandon(connection: DriverConnection): void {
    (connection as pgModule.Client).connection.stream.destroy(new ResponseTimeoutError());
  }

  async check(connection: ServerConnection): Promise<void> {
    const [server] = await connection.select<{ version: string; number: string; encoding: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number,
         current_setting('server_encoding') AS encoding`,
    );
    if (server === undefined || Number(server.number) < oldestVersion) {
      throw new DatabaseUnusableError(
        `The database server is Postgres ${server?.version}; 13 or newer is needed.`,
      );
    }
    const { dbName, dbSchema, dbUser } = this.#options;
    if (server.encoding !== 'UTF8') {
      throw new DatabaseUnusableError(
        `The database "${dbName}" has the encoding ${server.encoding}; make one with ENCODING 'UTF8'.`,
      );
    }
    if (dbSchema !== undefined) {
      await connection.execute(`CREATE SCHEMA IF NOT EXISTS ${quoted(dbSchema)}`);
    }
    const [schema] = await connection.select<{ name: string | null; permitted: boolean | null }>(
      "SELECT current_schema() AS name, has_schema_privilege(current_schema(), 'CREATE') AS permitted",
    );
    if (!schema?.permitted) {
      throw new DatabaseUnusableError(
        `The user "${dbUser}" may not create tables in the database "${dbName}": make the user its owner, or GRANT CREATE ON SCHEMA ${schema?.name ?? 'public'}.`,
      );
    }
  }

  advice(error: unknown): string | undefined {
    const { dbName, dbUser } = this.#options;
    const at = this.hosts.placeOf(error);
    const code = driverCode(error);
    switch (code) {
      case '28P01':
      case '28000':
        return `Postgres at ${at} refuses the user "${dbUser}": check dbUser and dbPassword, and what pg_hba.conf of the server permits.`;
      case '3D000':
        return `There is no database "${dbName}" at ${at}: create it (CREATE DATABASE), or set dbName to one that exists.`;
      case '42501':
        return `The user "${dbUser}" may not do what is needed in the database "${dbName}": make the user its owner.`;
      case '08P01':
        return pooledAdvice(error, at) ?? connectionAdvice(error, { name: 'Postgres', hosts: this.hosts });
      case readOnlyCode:
        return readOnlyAdvice(
          { name: 'Postgres', hosts: this.hosts },
          'is a standby, or its default_transaction_read_only is on: promote it, or switch that off',
        );
      case '53300':
        return `Postgres at ${at} has no connection left: raise its max_connections, or lower poolMaximumSize.`;
      default:
        return connectionAdvice(error, { name: 'Postgres', hosts: this.hosts });
    }
  }
}

/** PgBouncer refuses what would set up a session. */
function pooledAdvice(error: unknown, at: string): string | undefined {
  const own = driverError(error);
  if (!(own instanceof Error && own.message.includes('unsupported startup parameter'))) return undefined;
  return `A pooler answers at ${at}, which accepts no settings of a session: set dbPooler (LRS_DB_POOLER=true).`;
}
