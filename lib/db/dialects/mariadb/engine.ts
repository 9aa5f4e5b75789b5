import { connect, type Socket } from 'node:net';
import type mariadbModule from 'mariadb';
import type { Connection, ConnectionConfig } from 'mariadb';
import type { Options } from 'sequelize';
import type { HostAddress } from '../../host-address.ts';
import { DatabaseUnusableError } from '../../unusable.ts';
import { connectionAdvice, readOnlyAdvice } from '../server/connection-advice.ts';
import type { Access, DriverConnection, ServerConnection, ServerEngine } from '../server/engine.ts';
import type { DatabaseHosts } from '../server/hosts.ts';
import { NoMajorityError, NotPrimaryError, ResponseTimeoutError } from '../server/network-error.ts';
import { hostsOf, passwordOf, type ServerOptions } from '../server/options.ts';
import { startEpochs } from '../server/standby-wait.ts';
import { limited } from '../server/time-limit.ts';
import { tlsConnectionOptions } from '../server/tls-files.ts';
import { MariadbBatch } from './batch.ts';
import { MariadbConnection } from './connection.ts';
import { errorNumber, lockWaitTimeout, MariadbDialect, notReadyNumber, readOnlyNumbers } from './dialect.ts';
import { GaleraConnection, GaleraNotReadyError, isReady } from './galera-connection.ts';
import { PacketLimit } from './packet-limit.ts';
import { mariadbReplication } from './replication.ts';

const oldestVersion = [10, 6] as const;
/** Seconds that a transaction waits for a lock before it is tried again. */
const lockTimeout = 5;
/**
 * Seconds that a transaction may be idle, and the rest of a message may take. Shorter than the retries of others
 * (lib/db/retry.ts), so that a stopped process delays them without failing their requests.
 */
const idleTransactionTimeout = 10;

/** Half of the default `max_allowed_packet`, the largest message that driver and server accept; less where that is smaller. */
const maximumBatchBytes = 8 * 1024 * 1024;

/** MariaDB; its driver is loaded with this module. */
export class MariadbEngine implements ServerEngine {
  readonly dialect = new MariadbDialect();
  readonly hosts: DatabaseHosts;
  readonly #options: ServerOptions;
  readonly #driver: typeof mariadbModule;
  readonly #packetLimit = new PacketLimit();
  readonly #sockets = new WeakMap<DriverConnection, Socket>();

  private constructor(options: ServerOptions, driver: typeof mariadbModule) {
    this.#options = options;
    this.hosts = hostsOf(options);
    this.dialect.isReplicated = this.hosts.areSeveral;
    this.#driver = driver;
  }

  static async load(options: ServerOptions): Promise<MariadbEngine> {
    return new MariadbEngine(options, (await import('mariadb')).default);
  }

  password(address: HostAddress): Promise<string | undefined> {
    return passwordOf(this.#options, address);
  }

  connectionOptions(): Options {
    const { dbName, dbUser } = this.#options;
    // Sequelize does not declare this option; without it, it opens a connection just to ask for the version.
    const known = { databaseVersion: '10.6.0' };
    return {
      ...known,
      dialect: 'mariadb',
      dialectModule: {
        ...this.#driver,
        createConnection: (config: ConnectionConfig) => this.#open(config),
      },
      database: dbName,
      username: dbUser,
      dialectOptions: { ...this.#driverOptions(), typeCast: undefined },
    };
  }

  /** Numbers as numbers, JSON as text, no conversion of single fields. */
  #driverOptions(): ConnectionConfig {
    const { tls, pool } = this.#options;
    return {
      connectTimeout: this.hosts.timeoutOf(pool.connectionTimeout),
      keepAliveDelay: 30_000,
      bigIntAsNumber: true,
      // Errors have no values.
      logParam: false,
      insertIdAsNumber: true,
      autoJsonMap: false,
      ...(tls && { ssl: tlsConnectionOptions(tls) }),
    };
  }

  async open(address: HostAddress, { isFollowed = false } = {}): Promise<DriverConnection> {
    const { dbName: database, dbUser: user } = this.#options;
    const password = await this.password(address);
    const login = { user, ...(password !== undefined && { password }) };
    const connection = await this.#open({ ...this.#driverOptions(), ...address, database, ...login });
    // A connection that breaks while it is idle must not end the process; its next user gets the error.
    connection.on('error', () => undefined);
    const settled = this.setUp(this.connection(connection), 'write', address).catch((error: Error) => {
      this.#sockets.get(connection)?.destroy(error);
      throw error;
    });
    if (isFollowed && !this.hosts.areSeveral) {
      // What is asked at once travels with the settings. If they fail, the connection is lost.
      settled.catch(() => {});
      return connection;
    }
    await limited(settled, this, connection, this.hosts.timeoutOf(this.#options.pool.connectionTimeout));
    return connection;
  }

  /**
   * Learns the server's `max_allowed_packet`, and whether it is a node of Galera. Such a node may be behind the others by what
   * it has received and not yet applied. A read outside of a transaction then waits for that; a transaction that writes need not,
   * because it can't commit. Outside of transactions the session writes nothing (`GaleraConnection`).
   */
  async #learnOfServer(connection: MariadbConnection): Promise<void> {
    const [row] = await connection.select<{ value: string | null; packet: number }>(
      `SELECT @@max_allowed_packet AS packet, (SELECT variable_value FROM information_schema.session_variables
        WHERE variable_name = 'WSREP_ON') AS value`,
    );
    if (row !== undefined) this.#packetLimit.bytes = row.packet;
    if (row?.value !== 'ON') return;
    this.dialect.isGalera = true;
    this.dialect.isReplicated = true;
    if (!(await isReady((sql) => connection.select(sql)))) throw new GaleraNotReadyError();
    await Promise.all([
      connection.execute('SET SESSION wsrep_sync_wait = 1'),
      connection.execute('SET SESSION TRANSACTION READ ONLY'),
    ]);
  }

  async #requirePrimary(connection: MariadbConnection): Promise<void> {
    // From MariaDB 12 on the variable is a word.
    const [row] = await connection.select<{ standby: number }>(
      "SELECT CONCAT(@@read_only) NOT IN ('0', 'OFF') AS standby",
    );
    if (row?.standby !== 0) throw new NotPrimaryError();
  }

  async end(connection: DriverConnection): Promise<void> {
    await (connection as Connection).end();
  }

  /** The socket is created here, because the driver does not expose it. */
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

  /** None on Galera, where a failed statement does not keep those behind it from running. */
  get batches() {
    if (this.dialect.isGalera) return undefined;
    return {
      create: (): MariadbBatch =>
        new MariadbBatch(this.dialect, (connection) => this.#sockets.get(connection)),
      maximumBytes: Math.min(maximumBatchBytes, this.#packetLimit.bytes / 2),
    };
  }

  /** None on Galera, where each node has a log of its own. */
  get replication() {
    return this.dialect.isGalera ? undefined : mariadbReplication;
  }

  connection(connection: DriverConnection): MariadbConnection {
    // Sequelize declares only an object; it is a connection of the given driver.
    const socket = this.#sockets.get(connection);
    const Kind = this.dialect.isGalera ? GaleraConnection : MariadbConnection;
    return new Kind(connection as Connection, socket, this.#packetLimit);
  }

  /**
   * Strict mode, because otherwise values that are too long are truncated; READ COMMITTED, because nothing here needs gap
   * locks.
   */
  async setUp(connection: MariadbConnection, access: Access, address: HostAddress): Promise<void> {
    const settings = () =>
      connection.execute(
        `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', default_storage_engine = InnoDB,
         innodb_lock_wait_timeout = ${lockTimeout}, idle_transaction_timeout = ${idleTransactionTimeout},
         net_read_timeout = ${idleTransactionTimeout}`,
      );
    const sent = connection.inOneMessage(() => [
      ...(this.hosts.areSeveral ? [this.#requirePrimary(connection)] : []),
      this.#learnOfServer(connection),
      settings(),
      connection.limitStatements(this.#options.pool.transactionTimeout),
      connection.execute(
        `SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED${access === 'read' ? ', READ ONLY' : ''}`,
      ),
    ]);
    try {
      await Promise.all(sent);
    } catch (error) {
      // Nothing here waits for a lock: where reads wait for other nodes by default, one without a majority fails so.
      throw errorNumber(error) === lockWaitTimeout ? new GaleraNotReadyError({ cause: error }) : error;
    }
    if (access === 'read') return;
    await this.hosts.afterMove(address, async () => {
      // All nodes of Galera have what one has committed.
      if (!this.dialect.isGalera) await startEpochs(connection, this.dialect);
    });
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
    const { dbName, dbUser } = this.#options;
    const { hosts } = this;
    const at = hosts.placeOf(error);
    const number = errorNumber(error);
    if (readOnlyNumbers.has(number)) {
      return readOnlyAdvice({ name: 'MariaDB', hosts }, 'is read_only: SET GLOBAL read_only = 0 there');
    }
    if (error instanceof NoMajorityError)
      return minorityAdvice(
        `None of the Galera nodes has a majority of its cluster, tried were ${error.tried}`,
      );
    switch (number) {
      case notReadyNumber:
        return minorityAdvice(`The Galera node at ${at} has no majority of its cluster`);
      case 1045:
      case 1698:
        return `MariaDB at ${at} refuses the user "${dbUser}": check dbUser and dbPassword, and from which hosts the user may connect.`;
      case 1049:
        return `There is no database "${dbName}" at ${at}: create it (CREATE DATABASE), or set dbName to one that exists.`;
      case 1044:
        return `The user "${dbUser}" may not use the database "${dbName}", or it does not exist: GRANT ALL ON \`${dbName}\`.* to the user, or create it (CREATE DATABASE).`;
      case 1142:
        return `The user "${dbUser}" may not do what is needed in the database "${dbName}": GRANT ALL ON \`${dbName}\`.* to it.`;
      case 1040:
      case 1203:
        return `MariaDB at ${at} has no connection left: raise its max_connections, or lower poolMaximumSize.`;
    }
    return connectionAdvice(error, { name: 'MariaDB', hosts });
  }
}

const minorityAdvice = (fact: string): string =>
  `${fact} (wsrep_ready is OFF, wsrep_cluster_status says more): start the other nodes, or mend the network between them. When they are lost, see pc.bootstrap in the manual of Galera.`;
