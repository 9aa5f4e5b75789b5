import type { DatabaseConfig } from './types.ts';

/** The groups `database` and `connection` as the schema gives them out. */
export interface DatabaseSettings {
  readonly dbType: 'sqlite' | 'postgres' | 'postgresql' | 'mariadb';
  readonly dbName?: string;
  readonly dbHost: string;
  readonly dbPort: number;
  readonly dbUser?: string;
  readonly dbPassword?: string;
  readonly dbSchema?: string;
  readonly dbProperties?: string;
}

export interface ConnectionSettings {
  readonly poolMaximumSize: number;
  readonly poolMinimumIdle: number;
  readonly poolIdleTimeout: number;
  readonly poolConnectionTimeout: number;
  readonly dbTransactionTimeout: number;
  readonly dbMaintenanceTimeout: number;
}

/** A file in the working directory, and the database on a server, when none is named. */
const defaultFile = 'data/lrs.sqlite';
const defaultDatabase = 'lrs';

/** What the settings say about the database, without its password. */
export function databaseConfig(database: DatabaseSettings, connection: ConnectionSettings): DatabaseConfig {
  const { dbType, dbHost, dbPort, dbUser = '', dbSchema } = database;
  if (dbType === 'sqlite') return { dbType, dbName: database.dbName ?? defaultFile };
  const tls = tlsOf(parseProperties(database.dbProperties ?? ''));
  return {
    dbType: dbType === 'mariadb' ? dbType : 'postgres',
    dbHost,
    ...(dbPort > 0 && { dbPort }),
    dbName: database.dbName ?? defaultDatabase,
    dbUser,
    ...(dbSchema !== undefined && { dbSchema }),
    ...(tls && { tls }),
    pool: {
      maximumSize: connection.poolMaximumSize,
      minimumIdle: connection.poolMinimumIdle,
      idleTimeout: connection.poolIdleTimeout,
      connectionTimeout: connection.poolConnectionTimeout,
      transactionTimeout: connection.dbTransactionTimeout,
      maintenanceTimeout: connection.dbMaintenanceTimeout,
    },
  };
}

/** What lacks, or makes no sense, in settings that are fine one by one. No sentence shows a value. */
export function databaseProblems(database: DatabaseSettings): string[] {
  const { dbType, dbUser, dbSchema, dbProperties = '' } = database;
  if (dbType === 'sqlite') return [];
  const problems = propertyProblems(parseProperties(dbProperties));
  if (dbUser === undefined) {
    problems.push(`database.dbUser is missing: the database type ${dbType} needs a user to log in as.`);
  }
  if (dbSchema !== undefined && dbType === 'mariadb') {
    problems.push('database.dbSchema is set, but MariaDB has no schemas in a database; leave it out.');
  }
  return problems;
}

type TlsConfig = NonNullable<Extract<DatabaseConfig, { dbHost: string }>['tls']>;
type Verification = TlsConfig['verify'];

/** By the names that Postgres' and MariaDB's own clients have for them. */
const verifications: Readonly<Record<string, Verification>> = {
  require: 'nothing',
  trust: 'nothing',
  'verify-ca': 'authority',
  'verify-full': 'authority and host',
};
const modes = ['disable', ...Object.keys(verifications)];
const knownProperties = ['sslMode', 'sslRootCert', 'sslCert', 'sslKey'];
/** lrsql's default on MariaDB; the batches here need no several statements in one text. */
const withoutEffect = 'allowmultiqueries';

/** Properties by their name in lower case. */
function parseProperties(text: string): Map<string, string> {
  return new Map(
    Array.from(new URLSearchParams(text), ([name, value]) => [name.toLowerCase(), value] as const).filter(
      ([name]) => name !== withoutEffect,
    ),
  );
}

function propertyProblems(properties: ReadonlyMap<string, string>): string[] {
  const names = knownProperties.map((name) => name.toLowerCase());
  const problems = [...properties.keys()]
    .filter((name) => !names.includes(name))
    .map(
      (name) =>
        `database.dbProperties has the property "${name}", which is not known; known are ${knownProperties.join(', ')}.`,
    );
  const mode = properties.get('sslmode');
  if (mode !== undefined && !modes.includes(mode)) {
    problems.push(`database.dbProperties: sslMode must be one of ${modes.join(', ')}.`);
  }
  if (properties.has('sslcert') !== properties.has('sslkey')) {
    problems.push('database.dbProperties: sslCert and sslKey go together.');
  }
  return problems;
}

/** Without a mode, a connection is in clear unless a file for TLS is named; then everything is verified. */
function tlsOf(properties: ReadonlyMap<string, string>): TlsConfig | undefined {
  const authorityFile = properties.get('sslrootcert');
  const certificateFile = properties.get('sslcert');
  const keyFile = properties.get('sslkey');
  const named = authorityFile !== undefined || certificateFile !== undefined;
  const verify = verifications[properties.get('sslmode') ?? (named ? 'verify-full' : 'disable')];
  if (verify === undefined) return undefined;
  return {
    verify,
    ...(authorityFile !== undefined && { authorityFile }),
    ...(certificateFile !== undefined && { certificateFile }),
    ...(keyFile !== undefined && { keyFile }),
  };
}
