import { choice, ignored, integer, secret, switchedOff, text, unavailable } from './kinds.ts';

const servers = 'a database server (Postgres, MariaDB)';
const jvm = 'it only means something on the JVM';
const noPool = 'SQLite has no connection pool';
const own = 'SQLite writes through one queue, which retries by its own rule';

export const database = {
  dbType: unavailable(
    choice(['sqlite', 'postgres', 'postgresql', 'mariadb', 'mysql'], 'The database engine.'),
    servers,
    ['sqlite'],
  ).default('sqlite'),
  dbName: text(
    'The database file, relative to the working directory, or `:memory:` for a store that is lost on restart. The folder is made when it is missing.',
  ).default('data/lrs.sqlite'),
  dbHost: unavailable(text('Host of the database server.'), servers, []).strip(),
  dbPort: unavailable(integer('Port of the database server.').min(-1), servers, [-1]).strip(),
  dbUser: unavailable(text('User at the database server.'), servers, []).strip(),
  dbPassword: unavailable(secret('Password at the database server.'), servers, []).strip(),
  dbSchema: unavailable(text('Schema in the database.'), servers, []).strip(),
  dbProperties: unavailable(
    text('Further connection parameters, `name=value&name=value`.', { secret: true }),
    servers,
    [],
  ).strip(),
  dbJdbcUrl: unavailable(text('One URL in place of the keys above.', { secret: true }), servers, []).strip(),
  dbCatalog: ignored(jvm, 'Catalog of the JDBC connection.'),
};

export const connection = {
  poolAutoCommit: ignored(jvm, 'Auto-commit of pooled connections.'),
  poolKeepaliveTime: ignored(jvm, 'Keep-alive of pooled connections (ms).'),
  poolConnectionTimeout: ignored(noPool, 'How long to wait for a connection (ms).'),
  poolIdleTimeout: ignored(noPool, 'How long a connection may idle (ms).'),
  poolValidationTimeout: ignored(jvm, 'How long a check of a connection may take (ms).'),
  poolInitializationFailTimeout: ignored(jvm, 'How long the first connection may take (ms).'),
  poolMaxLifetime: ignored(noPool, 'How long a connection may live (ms).'),
  poolMinimumIdle: ignored(noPool, 'Connections kept open.'),
  poolMaximumSize: ignored(noPool, 'Most connections at a time.'),
  poolIsolateInternalQueries: ignored(jvm, 'Isolation of internal queries.'),
  poolLeakDetectionThreshold: ignored(jvm, 'When a connection counts as leaked (ms).'),
  poolTransactionIsolation: ignored(noPool, 'Isolation level of transactions.'),
  poolName: ignored(jvm, 'Name of the pool.'),
  poolEnableJmx: ignored(jvm, 'Metrics of the pool by JMX.'),
};

export const retries = {
  stmtRetryLimit: ignored(own, 'How often the writing of statements is tried again.'),
  stmtRetryBudget: ignored(own, 'Scale of the waits between tries (ms).'),
};

export const tuning = {
  enableJsonb: switchedOff('JSONB columns on Postgres', 'Store JSON as JSONB (Postgres only).'),
};

export const logger = {
  logLevel: text('What is logged; not case-sensitive.')
    .uppercase()
    .valid('OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE', 'ALL')
    .default('INFO'),
};
