/** A metric as OpenTelemetry names it; Prometheus has underscores for dots, and a unit and `_total` behind the name. */
export interface Metric {
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge' | 'up-down counter';
  /** A unit of UCUM, e.g. `s`, or a noun in braces. */
  readonly unit: string;
  readonly description: string;
  readonly labels: readonly string[];
  /** The upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
}

/** Seconds; those that the semantic conventions of OpenTelemetry advise for requests of HTTP. */
const secondsOfRequests = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Seconds; accesses to the database and transactions are shorter. */
const secondsOfAccesses = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const route = ['http.request.method', 'http.route', 'http.response.status_code'];

/** What is recorded when it happens. */
export const recorded = {
  requestDuration: {
    name: 'http.server.request.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Time from the headers of a request until its response is ready.',
    labels: route,
    buckets: secondsOfRequests,
  },
  requests: {
    name: 'lrs.requests',
    kind: 'counter',
    unit: '{request}',
    description:
      'Requests by key pair: its label, else the first eight characters of its API key; `openid` for tokens, `none` without credentials, `other` beyond `metricsKeyPairs`.',
    labels: [...route, 'lrs.key_pair'],
  },
  activeRequests: {
    name: 'http.server.active_requests',
    kind: 'up-down counter',
    unit: '{request}',
    description: 'Requests that are being answered.',
    labels: [],
  },
  refusals: {
    name: 'lrs.refusals',
    kind: 'counter',
    unit: '{refusal}',
    description:
      'Refused requests, by the code of the error and the broken rule: a section of the xAPI specification, the name of a rule, or the setting of a limit.',
    labels: ['lrs.code', 'lrs.rule'],
  },
  statements: {
    name: 'lrs.statements.stored',
    kind: 'counter',
    unit: '{statement}',
    description: 'Statements that were stored, those of reactions excepted.',
    labels: [],
  },
  commitDuration: {
    name: 'lrs.commit.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Time that a transaction of statements takes.',
    labels: [],
    buckets: secondsOfAccesses,
  },
  commitRequests: {
    name: 'lrs.commit.requests',
    kind: 'histogram',
    unit: '{request}',
    description: 'Requests that share a transaction (group commit).',
    labels: [],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
  },
  commitStatements: {
    name: 'lrs.commit.statements',
    kind: 'histogram',
    unit: '{statement}',
    description: 'Statements that a transaction stores.',
    labels: [],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000],
  },
  databaseDuration: {
    name: 'db.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    description:
      'Time of an access to the database with the wait for a connection or the write lock: `read`, `write` (a transaction) or `batch` (a transaction in one message).',
    labels: ['db.operation.name', 'error.type'],
    buckets: secondsOfAccesses,
  },
} as const satisfies Readonly<Record<string, Metric>>;

/** What is read when metrics are collected. */
export const gauges = {
  admissionRequests: {
    name: 'lrs.admission.requests',
    kind: 'gauge',
    unit: '{request}',
    description: 'Bodies of statements that are admitted or wait for admission.',
    labels: [],
  },
  admissionBytes: {
    name: 'lrs.admission.size',
    kind: 'gauge',
    unit: 'By',
    description: 'Bytes of these bodies.',
    labels: [],
  },
  commitQueue: {
    name: 'lrs.commit.queue',
    kind: 'gauge',
    unit: '{request}',
    description: 'Requests that wait for the next transaction.',
    labels: [],
  },
  connections: {
    name: 'lrs.connections',
    kind: 'gauge',
    unit: '{connection}',
    description: 'Open connections of clients.',
    labels: [],
  },
  databaseConnections: {
    name: 'db.client.connection.count',
    kind: 'gauge',
    unit: '{connection}',
    description: 'Connections to a database server: `idle` or `used`.',
    labels: ['db.client.connection.state'],
  },
  databasePending: {
    name: 'db.client.connection.pending_requests',
    kind: 'gauge',
    unit: '{request}',
    description: 'Accesses that wait for a connection to the database.',
    labels: [],
  },
  databaseServer: {
    name: 'lrs.database.server',
    kind: 'gauge',
    unit: '{server}',
    description: 'The database server that writes go to: always 1.',
    labels: ['server.address'],
  },
  replicaLag: {
    name: 'lrs.replica.lag',
    kind: 'gauge',
    unit: 's',
    description:
      'How far a replica in `dbReadHosts` may be behind the primary; 0 while reads are sent to it, absent until it is first used and while it is no replica.',
    labels: ['server.address'],
  },
  replicaUsed: {
    name: 'lrs.replica.used',
    kind: 'gauge',
    unit: '{replica}',
    description: 'Whether reads are sent to a replica: 1 or 0.',
    labels: ['server.address'],
  },
  replicaReads: {
    name: 'lrs.replica.reads',
    kind: 'counter',
    unit: '{read}',
    description: 'Reads that a replica has served.',
    labels: ['server.address'],
  },
  consumerLag: {
    name: 'lrs.consumer.lag',
    kind: 'gauge',
    unit: 's',
    description: 'Age of the oldest statement that a consumer, such as the reactions, has yet to handle.',
    labels: ['lrs.consumer'],
  },
  consumerStatements: {
    name: 'lrs.consumer.pending',
    kind: 'gauge',
    unit: '{statement}',
    description: 'Statements that a consumer has yet to handle.',
    labels: ['lrs.consumer'],
  },
  databaseSize: {
    name: 'lrs.database.size',
    kind: 'gauge',
    unit: 'By',
    description: 'Size of the database; on Postgres and MariaDB of the tables and indexes of the store.',
    labels: [],
  },
  cacheHits: {
    name: 'lrs.cache.hits',
    kind: 'counter',
    unit: '{lookup}',
    description: 'Lookups that a cache answered.',
    labels: ['lrs.cache'],
  },
  cacheMisses: {
    name: 'lrs.cache.misses',
    kind: 'counter',
    unit: '{lookup}',
    description: 'Lookups that a cache could not answer.',
    labels: ['lrs.cache'],
  },
  eventLoopDelay: {
    name: 'nodejs.eventloop.delay',
    kind: 'gauge',
    unit: 's',
    description: 'Delay of the event loop since metrics were last collected: `p50`, `p99`, `max`.',
    labels: ['quantile'],
  },
  processMemory: {
    name: 'process.memory.usage',
    kind: 'gauge',
    unit: 'By',
    description: 'Resident memory of the process.',
    labels: [],
  },
  processTime: {
    name: 'process.cpu.time',
    kind: 'counter',
    unit: 's',
    description: 'Processor time of the process.',
    labels: ['cpu.mode'],
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type GaugeName = keyof typeof gauges;

/** The name of a metric at `/metrics`. */
export function prometheusName({ name, kind, unit }: Metric): string {
  const base = name.replaceAll('.', '_');
  const suffix = ({ s: '_seconds', By: '_bytes' } as Readonly<Record<string, string>>)[unit] ?? '';
  return `${base}${suffix}${kind === 'counter' ? '_total' : ''}`;
}
