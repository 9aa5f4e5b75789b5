import { connect, type Socket } from 'node:net';
import type mariadbModule from 'mariadb';
import type { Connection, ConnectionConfig } from 'mariadb';
import type { Options } from 'sequelize';
import { DatabaseUnusableError } from '../unusable.ts';
import { connectionAdvice } from './connection-advice.ts';
import { errorNumber, MariadbDialect } from './mariadb.ts';
import { MariadbConnection } from './mariadb-connection.ts';
import { ResponseTimeoutError } from './network-error.ts';
import type { Access, DriverConnection, ServerConnection, ServerEngine } from './server-engine.ts';
import type { ServerOptions } from './server-options.ts';
import { tlsConnectionOptions } from './tls-files.ts';

const oldestVersion = [10, 6] as const;
/** Seconds that a transaction waits for a lock before it is tried again. */
const lockTimeout = 5;
/**
 * Seconds that a transaction may stay open without work, and the rest of a message may take to arrive. Shorter than others are
 * patient (lib/db/retry.ts), so that a process which has stopped costs them time and no request.
 */
const idleTransactionTimeout = 10;

/** MariaDB; the driver is loaded with it. */
export class MariadbEngine implements ServerEngine {
  readonly dialect = new MariadbDialect();
  readonly #options: ServerOptions;
  readonly #driver: typeof mariadbModule;
  readonly #sockets = new WeakMap<DriverConnection, Socket>();

  private constructor(options: ServerOptions, driver: typeof mariadbModule) {
    this.#options = options;
    this.#driver = driver;
  }

  static async load(options: ServerOptions): Promise<MariadbEngine> {
    return new MariadbEngine(options, (await import('mariadb')).default);
  }

  connectionOptions(): Options {
    const { dbHost, dbPort = 3306, dbName, dbUser, dbPassword, tls, pool } = this.#options;
    // Sequelize does not declare this option; without it, it opens a connection just to ask for the version.
    const known = { databaseVersion: '10.6.0' };
    return {
      ...known,
      dialect: 'mariadb',
      dialectModule: {
        ...this.#driver,
        createConnection: (config: ConnectionConfig) => this.#open(config),
      },
      host: dbHost,
      port: dbPort,
      database: dbName,
      username: dbUser,
      ...(dbPassword !== undefined && { password: dbPassword }),
      dialectOptions: {
        connectTimeout: pool.connectionTimeout,
        keepAliveDelay: 30_000,
        // Numbers as numbers, JSON as the text that it is, nothing converted field by field.
        bigIntAsNumber: true,
        insertIdAsNumber: true,
        autoJsonMap: false,
        typeCast: undefined,
        ...(tls && { ssl: tlsConnectionOptions(tls) }),
      },
    };
  }

  /** The socket is made here, because the driver does not give it out. */
  async #open(config: ConnectionConfig): Promise<Connection> {
    const { host = 'localhost', port = 3306 } = config;
    const sockets: Socket[] = [];
    const connection = await this.#driver.createConnection({
      ...config,
      stream: (use) => {
        const socket = connect({ host, port, noDelay: true });
        sockets.push(socket);
        use(undefined, socket);
      },
    });
    const [socket] = sockets;
    if (socket !== undefined) this.#sockets.set(connection, socket);
    return connection;
  }

  connection(connection: DriverConnection): ServerConnection {
    // Sequelize declares no more than an object; it is what the driver that it was given has made.
    return new MariadbConnection(connection as Connection);
  }

  /** Strict, because otherwise what does not fit is cut off; READ COMMITTED, because nothing here needs locks on gaps. */
  async setUp(connection: ServerConnection, access: Access): Promise<void> {
    await connection.execute(
      `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', default_storage_engine = InnoDB,
         innodb_lock_wait_timeout = ${lockTimeout}, idle_transaction_timeout = ${idleTransactionTimeout},
         net_read_timeout = ${idleTransactionTimeout}`,
    );
    await connection.execute(this.statementTimeoutSql(this.#options.pool.transactionTimeout));
    await connection.execute(
      `SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED${access === 'read' ? ', READ ONLY' : ''}`,
    );
  }

  statementTimeoutSql(milliseconds: number): string {
    return `SET SESSION max_statement_time = ${milliseconds / 1000}`;
  }

  abandon(connection: DriverConnection): void {
    this.#sockets.get(connection)?.destroy(new ResponseTimeoutError());
  }

  async check(connection: ServerConnection): Promise<void> {
    const [server] = await connection.select<{ version: string }>('SELECT VERSION() AS version');
    const version = server?.version ?? '';
    const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
    const [oldestMajor, oldestMinor] = oldestVersion;
    const old = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
    if (!version.includes('MariaDB') || old) {
      throw new DatabaseUnusableError(
        `The database server is ${version.includes('MariaDB') ? '' : 'MySQL '}${version}; MariaDB ${oldestVersion.join('.')} or newer is needed.`,
      );
    }
  }

  advice(error: unknown): string | undefined {
    const { dbHost, dbPort = 3306, dbName, dbUser } = this.#options;
    switch (errorNumber(error)) {
      case 1045:
      case 1698:
        return `MariaDB at ${dbHost}:${dbPort} refuses the user "${dbUser}": check dbUser and dbPassword, and from which hosts the user may connect.`;
      case 1049:
        return `There is no database "${dbName}" at ${dbHost}:${dbPort}: create it (CREATE DATABASE), or set dbName to one that exists.`;
      case 1044:
        return `The user "${dbUser}" may not use the database "${dbName}", or it does not exist: GRANT ALL ON \`${dbName}\`.* to the user, or create it (CREATE DATABASE).`;
      case 1142:
        return `The user "${dbUser}" may not do what is needed in the database "${dbName}": GRANT ALL ON \`${dbName}\`.* to it.`;
      case 1040:
      case 1203:
        return `MariaDB at ${dbHost}:${dbPort} has no connection left: raise its max_connections, or lower poolMaximumSize.`;
    }
    return connectionAdvice(error, { name: 'MariaDB', host: dbHost, port: dbPort });
  }
}
