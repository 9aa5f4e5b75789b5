import { setTimeout as sleep } from 'node:timers/promises';
import type { HostAddress } from '../../host-address.ts';
import type { HostFault } from '../../host-fault.ts';
import { unusedReasons } from '../../replica-status.ts';
import { DatabaseUnusableError } from '../../unusable.ts';
import { generalAdvice } from './connection-advice.ts';
import type { ServerConnection, ServerEngine } from './engine.ts';
import { inTime, onNewConnection } from './liveness.ts';
import { hostsOf, type ReplicaOptions, readHostsSetting, type ServerOptions } from './options.ts';
import {
  digestWith,
  lineageSql,
  type PrimaryPlace,
  type ReplicaRow,
  type Replication,
  requireReplication,
} from './replication.ts';

/** How long (ms) a replica may need to replay what the primary had logged. */
const patience = 1000;

type LoadEngine = (options: ServerOptions) => Promise<ServerEngine>;

/** What a replica is compared with. */
interface Primary extends Pick<PrimaryPlace, 'log'>, Pick<ReplicaRow, 'lineage'> {
  readonly digest: string | null;
}

/**
 * Looks at each replica that is to serve reads, and changes nothing: whether it lets the user read, is a replica, and has what its
 * primary had.
 * @returns those that can't serve reads. Without a primary that can be asked, only the login is tried.
 * @throws DatabaseUnusableError where there can be no replicas.
 */
export async function checkReplicas(
  options: ServerOptions,
  replicas: ReplicaOptions,
  load: LoadEngine,
): Promise<readonly HostFault[]> {
  const writing = await load({ ...options, replicas: undefined });
  const primary = await askPrimary(writing, options);
  const { addresses } = hostsOf({ ...options, dbHost: replicas.hosts });
  const hostsSetting = readHostsSetting(options);
  const faultOf = async ({ host, port }: HostAddress): Promise<HostFault[]> => {
    const engine = await load({ ...options, dbHost: host, dbPort: port, hostsSetting, replicas: undefined });
    const { hosts } = engine;
    // A server that is named as one to write to and as one to read from has either role.
    const mayBePrimary = writing.hosts.includes(hosts.text);
    const reason = await onNewConnection(engine, (connection) => unfit(connection, engine, primary)).catch(
      (error: unknown) => engine.advice(error) ?? generalAdvice(error, hosts),
    );
    if (reason === undefined || (mayBePrimary && reason === unusedReasons.primary)) return [];
    return [{ host: hosts.text, reason }];
  };
  return (await Promise.all(addresses.map(faultOf))).flat();
}

/** @returns undefined when it can't be reached or has no tables, which are findings of other checks. */
async function askPrimary(engine: ServerEngine, { pool }: ServerOptions): Promise<Primary | undefined> {
  const { dialect, hosts } = engine;
  try {
    const search = { patience: pool.connectionTimeout, dialect };
    const opened = await hosts.search((address) => engine.open(address), search);
    try {
      return await inTime(placeOf(engine.connection(opened, 'read'), requireReplication(engine)));
    } finally {
      engine.abandon(opened);
    }
  } catch (error) {
    if (error instanceof DatabaseUnusableError) throw error;
    return undefined;
  }
}

async function placeOf(connection: ServerConnection, replication: Replication): Promise<Primary | undefined> {
  const sql = `SELECT place.log, ${lineageSql} AS lineage FROM (${replication.placeSql}) place`;
  const [row] = await connection.select<Pick<Primary, 'log' | 'lineage'>>(sql);
  if (row === undefined) return undefined;
  return { ...row, digest: await digestWith(connection, replication) };
}

/** @returns why a server can't serve reads of the primary; undefined when it can. */
async function unfit(
  connection: ServerConnection,
  { dialect, replication }: ServerEngine,
  primary: Primary | undefined,
): Promise<string | undefined> {
  if (primary === undefined) {
    await connection.select('SELECT 1 AS response');
    return undefined;
  }
  if (replication === undefined) return unusedReasons.foreign;
  try {
    const deadline = performance.now() + patience;
    for (;;) {
      const [row] = await connection.select<ReplicaRow>(replication.replicaSql);
      if (row === undefined || !row.standby) return unusedReasons.primary;
      const has =
        row.lineage === primary.lineage && row.log !== null && replication.hasReplayed(row.log, primary.log);
      if (has || performance.now() > deadline) {
        if ((await digestWith(connection, replication)) !== primary.digest) return unusedReasons.foreign;
        return has ? undefined : unusedReasons.lagging;
      }
      await sleep(50);
    }
  } catch (error) {
    if (dialect.isMissingTable(error)) return unusedReasons.foreign;
    throw error;
  }
}
