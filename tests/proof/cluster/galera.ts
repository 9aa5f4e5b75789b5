import mariadb from 'mariadb';
import { startGaleraCluster } from '../../support/galera-cluster.ts';
import type { ProofCluster } from './proof.ts';

const database = 'lrs';

interface GaleraOptions {
  /** Whether each process writes to a node of its own, or all to the same one as long as it is there. */
  readonly allWrite: boolean;
}

/**
 * Three nodes of Galera, with a process of the LRS for each, which uses the other nodes when its own is not there. They are
 * killed in turn. @throws Error when Galera is not installed.
 */
export async function galeraCluster({ allWrite }: GaleraOptions): Promise<ProofCluster> {
  const cluster = await startGaleraCluster();
  if (cluster === undefined) throw new Error('MariaDB, Galera or rsync is not installed.');
  const { ports } = cluster;
  const root = { host: '127.0.0.1', port: ports[0] ?? 0, user: 'root' };
  const connection = await mariadb.createConnection(root);
  await connection.query(`CREATE DATABASE ${database}`);
  await connection.end();
  const settings = ports.map((_, place) => {
    const own = allWrite ? [...ports.slice(place), ...ports.slice(0, place)] : ports;
    return {
      ...{ LRS_DB_TYPE: 'mariadb', LRS_DB_HOST: own.map((port) => `127.0.0.1:${port}`).join(',') },
      ...{ LRS_DB_NAME: database, LRS_DB_USER: root.user },
    };
  });
  let next = 0;
  return {
    settings,
    disturb: () => cluster.kill(next),
    async repair() {
      await cluster.start(next);
      next = (next + 1) % ports.length;
    },
    remove: () => cluster.remove(),
  };
}
