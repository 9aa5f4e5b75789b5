import { engineFacts, factsOf, serverEngineNames } from '../lib/db/dialects/facts.ts';
import { hostsProblem } from '../lib/db/dialects/server/hosts.ts';
import type { SqliteDriverName } from '../lib/db/dialects/sqlite/driver/driver.ts';
import { parseProperties, propertyProblems, propertyWarnings, tlsOf } from './database-properties.ts';
import type { DatabaseConfig } from './types.ts';

/** The groups `database` and `connection` as the schema gives them out. */
export interface DatabaseSettings {
  /** A name or an alias of an engine. */
  readonly dbType: string;
  readonly dbName?: string;
  readonly sqliteDriver: SqliteDriverName;
  readonly dbHost: string;
  readonly dbPort: number;
  readonly dbReadHosts?: string;
  readonly dbUser?: string;
  readonly dbPassword?: string;
  readonly dbIamRegion?: string;
  readonly dbSchema?: string;
  readonly dbProperties?: string;
  readonly dbJdbcUrl?: string;
  readonly dbPooler: boolean;
}

export interface ConnectionSettings {
  readonly poolMaximumSize: number;
  readonly poolMinimumIdle: number;
  readonly poolIdleTimeout: number;
  readonly poolMaxLifetime: number;
  readonly poolConnectionTimeout: number;
  readonly dbTransactionTimeout: number;
  readonly dbMaintenanceTimeout: number;
  readonly dbReadMaxWait: number;
  readonly dbReadGather: number;
  readonly dbReadPoolMaximumSize: number;
}

/** A file in the working directory, and the database on a server, when none is named. */
const defaultFile = 'data/lrs.sqlite';
const defaultDatabase = 'lrs';

/** What the settings say about the database, without its password. */
export function databaseConfig(database: DatabaseSettings, connection: ConnectionSettings): DatabaseConfig {
  const { dbHost, dbPort, dbReadHosts, dbUser = '', dbSchema } = database;
  const engine = factsOf(database.dbType);
  if (engine.server === undefined) {
    return {
      dbType: engine.name,
      dbName: database.dbName ?? defaultFile,
      sqliteDriver: database.sqliteDriver,
    };
  }
  const tls = tlsOf(database.dbProperties ?? '');
  return {
    dbType: engine.name,
    dbHost,
    ...(dbPort > 0 && { dbPort }),
    ...(dbReadHosts !== undefined && {
      replicas: {
        hosts: dbReadHosts,
        maxWait: connection.dbReadMaxWait,
        gather: connection.dbReadGather,
        maximumSize: connection.dbReadPoolMaximumSize,
      },
    }),
    dbName: database.dbName ?? defaultDatabase,
    dbUser,
    ...(dbSchema !== undefined && { dbSchema }),
    ...(database.dbPooler && { dbPooler: true }),
    ...(tls && { tls }),
    pool: {
      maximumSize: connection.poolMaximumSize,
      minimumIdle: connection.poolMinimumIdle,
      idleTimeout: connection.poolIdleTimeout,
      maximumLifetime: connection.poolMaxLifetime,
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
  if (tlsOf(dbProperties) === undefined) {
    problems.push(
      'database.dbIamRegion needs TLS, because the token is sent as it is: set sslMode=verify-full in database.dbProperties.',
    );
  }
  return problems;
}

/** What of the properties has no effect. No sentence shows a value. */
export function databaseWarnings(database: DatabaseSettings): string[] {
  const { dbType, dbReadHosts, dbUser, dbSchema, dbProperties = '' } = database;
  if (factsOf(dbType).server !== undefined) return propertyWarnings(dbProperties);
  return [
    // A file of lrsql names no engine, because lrsql has a program for each.
    ...(dbUser === undefined
      ? []
      : [
          `database.dbUser has no effect on SQLite, which is in use: for a database server, set dbType to ${serverEngineNames.join(' or ')}, or start with --db ${serverEngineNames.join(' or --db ')}.`,
        ]),
    ...(parseProperties(dbProperties).length === 0 ? [] : ['database.dbProperties has no effect on SQLite.']),
    ...(dbReadHosts === undefined ? [] : ['database.dbReadHosts has no effect on SQLite.']),
    ...(dbSchema === undefined ? [] : ['database.dbSchema has no effect on SQLite.']),
  ];
}

/** What lacks, or makes no sense, in settings that are fine one by one. No sentence shows a value. */
export function databaseProblems(database: DatabaseSettings): string[] {
  const { dbType, dbHost, dbReadHosts, dbUser, dbSchema, dbPooler, dbProperties = '' } = database;
  const { title, server } = factsOf(dbType);
  if (server === undefined) return [];
  const problems = propertyProblems(dbProperties);
  for (const [name, hosts] of Object.entries({ dbHost, dbReadHosts })) {
    const problem = hosts === undefined ? undefined : hostsProblem(hosts);
    if (problem === undefined) continue;
    problems.push(
      `database.${name} must be a host, or hosts separated by commas, such as pg1,pg2:5433,[::1]:5434: ${problem}.`,
    );
  }
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
