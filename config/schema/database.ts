import { configuredEngineNames, engineFacts } from '../../lib/db/dialects/facts.ts';
import { sqliteDrivers } from '../../lib/db/dialects/sqlite/driver/driver.ts';
import { choice, flag, ignored, integer, secret, text } from './kinds.ts';

const jvm = 'it only means something on the JVM';
const own = 'transactions that fail for a passing reason are run again by a rule of their own';
const taken = 'transactions take turns, so READ COMMITTED is enough';

const standardPorts = engineFacts.flatMap(({ title, server }) =>
  server === undefined ? [] : `${server.standardPort} (${title})`,
);

export const database = {
  dbType: text(
    'The database engine; `postgresql` is another name for `postgres`, and `mysql` for `mariadb`: MySQL itself is refused at the start. `npm run start:postgres` and its like set it.',
  )
    .valid(...configuredEngineNames)
    .default('sqlite'),
  dbName: text(
    'SQLite: the database file, relative to the working directory, or `:memory:` for a store that is lost on restart; the folder is made when it is missing. On a server: the name of a database that exists.',
    { defaultText: '`data/lrs.sqlite`; `lrs` on a server' },
  ),
  sqliteDriver: choice(
    sqliteDrivers,
    'SQLite: `sqlite3` is the package of that name, which has a native part; `node` is the SQLite that Node.js 22.13 and newer contain; `auto` takes the package where its native part is installed.',
  ).default('auto'),
  dbHost: text(
    'Host of the database server, or the folder of its socket. Several hosts that replicate each other are separated by commas, each with its port if it differs, such as `pg1,pg2:5433,pg3`: the server that accepts writes is used, and after a failover the new one.',
  ).default('localhost'),
  dbPort: integer(
    `Port of the database server, and of each host in \`dbHost\` that has none; -1 stands for ${standardPorts.join(', ')}.`,
  )
    .min(-1)
    .max(65_535)
    .default(-1),
  dbReadHosts: text(
    'Postgres, MariaDB: hosts of replicas that serve reads, in the same form as `dbHost`; user, password and TLS are the same. A replica is used while it has all that was committed when a read began. No effect on AWS Lambda. In `dbJdbcUrl` and `dbProperties` the property `readHosts` says the same.',
    { kind: 'hosts, e.g. `pg2,pg3:5433`' },
  ),
  dbUser: text('User at the database server; needed there.'),
  dbPassword: secret('Password at the database server.'),
  dbIamRegion: text(
    'The region of a database of Amazon RDS or Aurora at which this process authenticates with IAM instead of a password: by a token, signed with the credentials of its role, for each new connection. It needs TLS (`dbProperties`).',
    { kind: 'the name of a region of AWS, e.g. `eu-central-1`' },
  ).pattern(/^[a-z]{2}(-[a-z]+)+-\d$/),
  dbSchema: text(
    "Postgres: the schema that holds the tables; made when it is missing. Otherwise the first of the user's search path.",
  ),
  dbPooler: flag(
    'Postgres: a connection pooler that gives each transaction another connection stands before the server, such as PgBouncer with `pool_mode = transaction`. Then nothing is set for a session and no statement is kept prepared. Excludes `dbSchema` and `enableStores`.',
  ).default(false),
  dbProperties: text(
    'TLS to the database server, `name=value&name=value`: `sslMode` (`disable`, `require` without verification, `verify-ca`, `verify-full`; `require` with `sslRootCert` counts as `verify-ca`), `sslRootCert` (file of trusted authorities, or `system` for those of the system; without it those of Node.js), `sslCert` and `sslKey` (files of an own certificate), `ssl` or `requireSSL` (`true` for `verify-full`). Names and modes in any case. Without `sslMode`: `verify-full` when a file is named, else `disable`. `user`, `password` and `currentSchema` stand for `dbUser`, `dbPassword` and `dbSchema` when those are not set. Other properties of JDBC drivers about TLS, such as `trustStore`, are refused, and so is `channel_binding=require` without TLS; the rest has no effect, which a warning says.',
  ),
  dbJdbcUrl: text(
    'One URL in place of `dbType`, `dbHost`, `dbPort`, `dbName` and `dbProperties`, which have no effect beside it: `postgresql://USER:PASSWORD@HOST:PORT/NAME?sslmode=verify-full` (or `HOST1:PORT,HOST2:PORT`), `postgres://…`, `mariadb://…`, `mysql://…` (a MariaDB server), `sqlite:FILE`, or one of them behind `jdbc:`. A user and a password in it count before `dbUser` and `dbPassword`. The variable `DATABASE_URL`, which platforms set, counts where neither the environment nor the file sets this, `dbType`, `dbName`, `dbHost` or `dbPort`; with the option `--db`, as in `npm run start:postgres`, where it names the same engine.',
    { secret: true, env: 'DATABASE_URL' },
  ),
  dbCatalog: ignored(jvm, 'Catalog of the JDBC connection.'),
};

/** They hold for a database server; SQLite has two connections. */
export const connection = {
  poolAutoCommit: ignored(jvm, 'Auto-commit of pooled connections.'),
  poolKeepaliveTime: ignored(jvm, 'Keep-alive of pooled connections (ms).'),
  poolConnectionTimeout: integer(
    'Database server: how long a request waits for a connection, and how long opening one may take (ms).',
  )
    .min(250)
    .default(3000),
  dbTransactionTimeout: integer(
    'Database server: how long one transaction or read may take (ms). After that its connection is closed and the request is answered with 503; so it is when the server does not answer at all.',
  )
    .min(1000)
    .max(600_000)
    .default(30_000),
  dbMaintenanceTimeout: integer(
    'Database server: the same for what may take long on a large database: changes of the schema at the start of a new release, and the maintenance of the search index (ms).',
  )
    .min(1000)
    .max(86_400_000)
    .default(3_600_000),
  poolIdleTimeout: integer(
    'Database server: how long a connection may idle before it is closed (ms). 0: any time.',
  )
    .min(0)
    .default(600_000),
  poolValidationTimeout: ignored(jvm, 'How long a check of a connection may take (ms).'),
  poolInitializationFailTimeout: ignored(jvm, 'How long the first connection may take (ms).'),
  poolMaxLifetime: integer(
    'Database server: how old a connection may become (ms); then it is replaced as soon as it is not in use. 0: any age.',
  )
    .min(0)
    .default(1_800_000),
  poolMinimumIdle: integer('Database server: connections kept open for reading.').min(0).default(2),
  poolMaximumSize: integer(
    'Database server: most connections of this process; one of them writes, the others read. 1: one connection for both, in turns.',
  )
    .min(1)
    .default(10),
  dbReadMaxWait: integer(
    '`dbReadHosts`: how long a read waits for a replica that has not replayed all that it depends on (ms). After that another replica or the primary serves it, and the replica is used again when it has caught up.',
  )
    .min(0)
    .max(10_000)
    .default(100),
  dbReadGather: integer(
    '`dbReadHosts`: how long after one question to the primary, how far it has come, the next one is asked (ms). Reads that arrive meanwhile share it: a longer time means less work for the primary, and reads that take up to that much longer.',
  )
    .min(0)
    .max(1000)
    .default(10),
  dbReadPoolMaximumSize: integer('`dbReadHosts`: most connections of this process to each replica.')
    .min(1)
    .default(10),
  poolIsolateInternalQueries: ignored(jvm, 'Isolation of internal queries.'),
  poolLeakDetectionThreshold: ignored(jvm, 'When a connection counts as leaked (ms).'),
  poolTransactionIsolation: ignored(taken, 'Isolation level of transactions.'),
  poolName: ignored(jvm, 'Name of the pool.'),
  poolEnableJmx: ignored(jvm, 'Metrics of the pool by JMX.'),
};

export const retries = {
  stmtRetryLimit: ignored(own, 'How often the writing of statements is tried again.'),
  stmtRetryBudget: ignored(own, 'Scale of the waits between tries (ms).'),
};

export const tuning = {
  enableJsonb: ignored(
    'statements are stored as the texts that they came as',
    'Store JSON as JSONB (Postgres only).',
  ),
};

export const logger = {
  logLevel: text('What is logged; not case-sensitive.')
    .uppercase()
    .valid('OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE', 'ALL')
    .default('INFO'),
};
