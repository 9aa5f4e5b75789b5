import type { ServerDatabase } from './database.ts';
import type { ServerEngine } from './engine.ts';
import { hostsOf, type ReplicaOptions, readHostsSetting, type ServerOptions } from './options.ts';
import { readingPool } from './pool.ts';
import { Replicas } from './replicas.ts';
import { PrimaryLog, requireReplication } from './replication.ts';

/** The timeout (ms) for getting a connection to a replica, after which another server is asked. */
const connectPatience = 1000;

/**
 * Prepares the replicas of a database; no connection is opened yet.
 * @returns makes them for the database once the kind of its server is known. It throws DatabaseUnusableError where the logs of
 *   servers can't be compared.
 */
export async function openReplicas(
  options: ServerOptions,
  { hosts, maxWait, gather, maximumSize }: ReplicaOptions,
  load: (options: ServerOptions) => Promise<ServerEngine>,
): Promise<(database: ServerDatabase) => Replicas> {
  const { addresses } = hostsOf({ ...options, dbHost: hosts });
  const hostsSetting = readHostsSetting(options);
  const engines = await Promise.all(
    addresses.map(({ host, port }) =>
      load({ ...options, dbHost: host, dbPort: port, hostsSetting, replicas: undefined }),
    ),
  );
  const connectionTimeout = Math.min(options.pool.connectionTimeout, connectPatience);
  const pool = { ...options.pool, connectionTimeout, size: { max: maximumSize, min: 0 } };
  return (database) => {
    const replication = requireReplication(database);
    const log = new PrimaryLog(database, replication, gather);
    return new Replicas(
      log,
      engines.map((engine) => ({ engine, replication, maxWait, reader: readingPool(engine, pool) })),
    );
  };
}
