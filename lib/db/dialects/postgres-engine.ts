import type pgModule from 'pg';
import type { Options } from 'sequelize';
import { DatabaseUnusableError } from '../unusable.ts';
import { connectionAdvice } from './connection-advice.ts';
import { driverCode } from './driver-error.ts';
import { ResponseTimeoutError } from './network-error.ts';
import { PostgresDialect } from './postgres.ts';
import { PostgresBatch } from './postgres-batch.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { driverModule, keepTexts, typesOf } from './postgres-models.ts';
import { batchClass, PostgresPipe } from './postgres-pipe.ts';
import type { Access, DriverConnection, ServerConnection, ServerEngine } from './server-engine.ts';
import type { ServerOptions } from './server-options.ts';
import { tlsConnectionOptions } from './tls-files.ts';

const oldestVersion = 130_000;
/** Milliseconds that a transaction waits for a lock before it is tried again, and that it may stay open without work. */
const lockTimeout = 5_000;
/** Shorter than others are patient (lib/db/retry.ts), so that a process which has stopped costs them time and no request. */
const idleTransactionTimeout = 10_000;

/** After some ten seconds the server notices that a process has vanished without a word, perhaps in the middle of a message. */
const keepaliveSettings = [
  'tcp_keepalives_idle TO 5',
  'tcp_keepalives_interval TO 2',
  'tcp_keepalives_count TO 3',
];

/**
 * What writes looks for a few rows at a time, each by an index. Left to itself, Postgres plans that once for a table that is
 * new and small, and goes through the whole of it from then on, until it is analysed a minute later. Where there is no index
 * for a query, the price that it sees then must not have it compiled.
 */
const writerSettings = ['enable_seqscan TO off', 'plan_cache_mode TO force_generic_plan', 'jit TO off'];

/**
 * What reads walks an index in its order and stops when the page is full. Before the tables are analysed, Postgres takes every
 * key for a rare one, would rather gather all of its rows first, and sort them.
 */
const readerSettings = ['default_transaction_read_only TO on', 'enable_bitmapscan TO off', 'jit TO off'];

/** Postgres; the driver is loaded when it is asked for its connection options. */
export class PostgresEngine implements ServerEngine {
  readonly dialect = new PostgresDialect();
  readonly #options: ServerOptions;
  readonly #driver: typeof pgModule;
  readonly #Batch: ReturnType<typeof batchClass>;
  readonly #types: pgModule.CustomTypesConfig;
  readonly #pipes = new WeakMap<DriverConnection, PostgresPipe>();
  /** Limits what Sequelize sends on a new connection before it hands it over. */
  readonly #openings = new WeakMap<DriverConnection, NodeJS.Timeout>();

  private constructor(options: ServerOptions, driver: typeof pgModule) {
    this.#options = options;
    this.#driver = driver;
    this.#Batch = batchClass(driver);
    this.#types = typesOf(driver);
  }

  static async load(options: ServerOptions): Promise<PostgresEngine> {
    return new PostgresEngine(options, (await import('pg')).default);
  }

  connectionOptions(): Options {
    const { dbHost, dbPort = 5432, dbName, dbUser, dbPassword, tls, pool } = this.#options;
    // Sequelize does not declare this option; without it, it opens a connection just to ask for the version.
    const known = { databaseVersion: '13.0.0' };
    return {
      ...known,
      dialect: 'postgres',
      dialectModule: driverModule(this.#driver, (client) => {
        this.#openings.set(
          client,
          setTimeout(() => this.abandon(client), pool.connectionTimeout),
        );
      }),
      host: dbHost,
      port: dbPort,
      database: dbName,
      username: dbUser,
      ...(dbPassword !== undefined && { password: dbPassword }),
      dialectOptions: {
        application_name: 'serverless-lrs',
        connectionTimeoutMillis: pool.connectionTimeout,
        keepAlive: true,
        lock_timeout: lockTimeout,
        idle_in_transaction_session_timeout: idleTransactionTimeout,
        statement_timeout: pool.transactionTimeout,
        ...(tls && { ssl: tlsConnectionOptions(tls) }),
      },
    };
  }

  readonly adaptModels = keepTexts;

  connection(connection: DriverConnection): ServerConnection {
    return new PostgresConnection(this.#pipeOf(connection));
  }

  readonly createBatch = (): PostgresBatch =>
    new PostgresBatch(this.dialect, (connection) => this.#pipeOf(connection));

  #pipeOf(connection: DriverConnection): PostgresPipe {
    const known = this.#pipes.get(connection);
    if (known !== undefined) return known;
    clearTimeout(this.#openings.get(connection));
    // Sequelize declares no more than an object; it is what the driver that it was given has made.
    const pipe = new PostgresPipe(connection as pgModule.Client, this.#Batch, this.#types);
    this.#pipes.set(connection, pipe);
    return pipe;
  }

  async setUp(connection: ServerConnection, access: Access): Promise<void> {
    const { dbSchema } = this.#options;
    if (dbSchema !== undefined) {
      await connection.execute(`SET search_path TO "${dbSchema.replaceAll('"', '""')}"`);
    }
    const settings = [...keepaliveSettings, ...(access === 'read' ? readerSettings : writerSettings)];
    // Sent at once, answered in order.
    await Promise.all(settings.map((setting) => connection.execute(`SET ${setting}`)));
  }

  statementTimeoutSql(milliseconds: number): string {
    return `SET statement_timeout TO ${milliseconds}`;
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
      await connection.execute(`CREATE SCHEMA IF NOT EXISTS "${dbSchema.replaceAll('"', '""')}"`);
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
    const { dbHost, dbPort = 5432, dbName, dbUser } = this.#options;
    const code = driverCode(error);
    switch (code) {
      case '28P01':
      case '28000':
        return `Postgres at ${dbHost}:${dbPort} refuses the user "${dbUser}": check dbUser and dbPassword, and what pg_hba.conf of the server permits.`;
      case '3D000':
        return `There is no database "${dbName}" at ${dbHost}:${dbPort}: create it (CREATE DATABASE), or set dbName to one that exists.`;
      case '42501':
        return `The user "${dbUser}" may not do what is needed in the database "${dbName}": make the user its owner.`;
      case '53300':
        return `Postgres at ${dbHost}:${dbPort} has no connection left: raise its max_connections, or lower poolMaximumSize.`;
      default:
        return connectionAdvice(error, { name: 'Postgres', host: dbHost, port: dbPort });
    }
  }
}
