import { engineFacts, factsOf } from '../lib/db/dialects/facts.ts';
import type { DatabaseConfig } from './types.ts';

/** The groups `database` and `connection` as the schema gives them out. */
export interface DatabaseSettings {
  /** A name or an alias of an engine. */
  readonly dbType: string;
  readonly dbName?: string;
  readonly dbHost: string;
  readonly dbPort: number;
  readonly dbUser?: string;
  readonly dbPassword?: string;
  readonly dbIamRegion?: string;
  readonly dbSchema?: string;
  readonly dbProperties?: string;
  readonly dbPooler: boolean;
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
  const { dbHost, dbPort, dbUser = '', dbSchema } = database;
  const engine = factsOf(database.dbType);
  if (engine.server === undefined) {
    return { dbType: engine.name, dbName: database.dbName ?? defaultFile };
  }
  const tls = tlsOf(parseProperties(database.dbProperties ?? ''));
  return {
    dbType: engine.name,
    dbHost,
    ...(dbPort > 0 && { dbPort }),
    dbName: database.dbName ?? defaultDatabase,
    dbUser,
    ...(dbSchema !== undefined && { dbSchema }),
    ...(database.dbPooler && { dbPooler: true }),
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

function iamProblems({ dbIamRegion, dbPassword, dbProperties = '' }: DatabaseSettings): string[] {
  if (dbIamRegion === undefined) return [];
  const problems: string[] = [];
  if (dbPassword !== undefined) {
    problems.push(
      'database.dbIamRegion and database.dbPassword exclude each other: a token is the password.',
    );
  }
  if (tlsOf(parseProperties(dbProperties)) === undefined) {
    problems.push(
      'database.dbIamRegion needs TLS, because the token is sent as it is: set sslMode=verify-full in database.dbProperties.',
    );
  }
  return problems;
}

/** What lacks, or makes no sense, in settings that are fine one by one. No sentence shows a value. */
export function databaseProblems(database: DatabaseSettings): string[] {
  const { dbType, dbUser, dbSchema, dbPooler, dbProperties = '' } = database;
  const { title, server } = factsOf(dbType);
  if (server === undefined) return [];
  const problems = propertyProblems(parseProperties(dbProperties));
  if (dbUser === undefined) {
    problems.push(`database.dbUser is missing: the database type ${dbType} needs a user to log in as.`);
  }
  if (dbSchema !== undefined && !server.hasSchemas) {
    problems.push(`database.dbSchema is set, but ${title} has no schemas in a database; leave it out.`);
  }
  problems.push(...iamProblems(database));
  if (dbPooler && !server.allowsPooler) {
    const others = engineFacts.filter((facts) => facts.server?.allowsPooler).map((facts) => facts.title);
    problems.push(`database.dbPooler is on, but it is for ${others.join(' and ')} only; leave it out.`);
  }
  if (dbPooler && dbSchema !== undefined) {
    problems.push(
      'database.dbSchema can not be used with database.dbPooler: leave it out, and give the database user the search path (ALTER ROLE … SET search_path).',
    );
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
