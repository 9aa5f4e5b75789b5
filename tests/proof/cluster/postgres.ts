import pg from 'pg';
import { startPostgresCluster } from '../../support/postgres-cluster.ts';
import type { ProofCluster } from './proof.ts';

const database = 'lrs';

/** A primary and two synchronous standbys, with two processes of the LRS. @throws Error when Postgres is not installed. */
export async function postgresCluster(): Promise<ProofCluster> {
  const cluster = await startPostgresCluster();
  if (cluster === undefined) throw new Error('The programs of Postgres are not installed.');
  const client = new pg.Client({ connectionString: cluster.url() });
  await client.connect();
  await client.query(`CREATE DATABASE ${database}`);
  await client.end();
  const settings = {
    ...{ LRS_DB_TYPE: 'postgres', LRS_DB_HOST: cluster.hosts },
    ...{ LRS_DB_NAME: database, LRS_DB_USER: 'postgres' },
  };
  return {
    settings: [settings, settings],
    disturb: () => cluster.failOver(),
    repair: () => cluster.repair(),
    remove: () => cluster.remove(),
  };
}
