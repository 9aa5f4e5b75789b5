import { UnavailableError } from '../../../errors.ts';
import type { HostAddress } from '../../host-address.ts';
import { DatabaseUnusableError } from '../../unusable.ts';
import { factsOf, type ServerEngineName } from '../facts.ts';
import { DatabaseHosts } from './hosts.ts';

/** The address of a database server and how to connect to it. */
export interface ServerOptions {
  readonly dbType: ServerEngineName;
  /** One host, or several that replicate each other, separated by commas (`parseHosts`). */
  readonly dbHost: string;
  /** The port of hosts that have none in `dbHost`. Undefined stands for the engine's standard port. */
  readonly dbPort?: number | undefined;
  /** What names the hosts, for advice, where that is not `dbHost` with `dbPort`. */
  readonly hostsSetting?: string | undefined;
  /** Replicas that serve reads. */
  readonly replicas?: ReplicaOptions | undefined;
  readonly dbName: string;
  readonly dbUser: string;
  readonly dbPassword?: string | undefined;
  /** Returns the password of the next connection to a host. */
  readonly dbToken?: ((address: HostAddress) => Promise<string>) | undefined;
  /** Postgres: the schema with the tables; created when it is missing. Undefined: that of the user's search path. */
  readonly dbSchema?: string | undefined;
  /** Postgres: whether a transaction-level connection pooler is in front of it. */
  readonly dbPooler?: boolean | undefined;
  readonly tls?: TlsOptions | undefined;
  readonly pool: PoolOptions;
}

/** In place of a file: the authorities that the system trusts. Postgres' own clients have the same name for them. */
export const systemAuthorities = 'system';

export interface TlsOptions {
  /** Whether the server's certificate must come from a trusted authority, and whether it must name the host too. */
  readonly verify: 'nothing' | 'authority' | 'authority and host';
  /** Files in PEM form: trusted authorities (instead of those of Node.js; or `systemAuthorities`), own certificate and its key. */
  readonly authorityFile?: string | undefined;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Replicas with the same database, user and TLS as the primary. */
export interface ReplicaOptions {
  /** Hosts, separated by commas (`parseHosts`). */
  readonly hosts: string;
  /** How long (ms) a read waits for a replica to replay what it depends on. */
  readonly maxWait: number;
  /** The shortest time (ms) between two questions to the primary, how far it has come. */
  readonly gather: number;
  /** The most connections to each. */
  readonly maximumSize: number;
}

/** One connection writes, the others read; where there is only one, it does both. */
export interface PoolOptions {
  readonly maximumSize: number;
  readonly minimumIdle: number;
  /** Milliseconds that an unused connection stays open. 0: any time. */
  readonly idleTimeout: number;
  /** Milliseconds after which a connection is replaced when it is not in use. 0: never. */
  readonly maximumLifetime: number;
  /** The timeout, in milliseconds, for getting a connection, including opening one. */
  readonly connectionTimeout: number;
  /** The timeout, in milliseconds, of a transaction or read; its connection is then closed. */
  readonly transactionTimeout: number;
  /** The same for migrations and the maintenance of tables, which may take long on a large database. */
  readonly maintenanceTimeout: number;
}

/** The setting that names the replicas of a database. */
export function readHostsSetting({ hostsSetting }: Pick<ServerOptions, 'hostsSetting'>): string {
  return hostsSetting === undefined ? 'dbReadHosts' : `readHosts of ${hostsSetting}`;
}

/** The hosts that the options name. */
export function hostsOf({ dbType, dbHost, dbPort, hostsSetting }: ServerOptions): DatabaseHosts {
  return new DatabaseHosts(dbHost, dbPort ?? factsOf(dbType).server?.standardPort ?? 0, hostsSetting);
}

/**
 * The password of the next connection.
 * @throws UnavailableError when no token can be made.
 */
export async function passwordOf(
  { dbToken, dbPassword }: ServerOptions,
  address: HostAddress,
): Promise<string | undefined> {
  if (dbToken === undefined) return dbPassword;
  try {
    return await dbToken(address);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const cause = new DatabaseUnusableError(`No token for the database can be made: ${reason}.`);
    throw new UnavailableError('The database is out of reach.', { cause });
  }
}
