import { lineageSql, type Replication } from '../server/replication.ts';

/** A place in the log, as Postgres writes it: `16/B374D848`. */
function bytesOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/**
 * Streaming replication. What the primary shows has been flushed to its log, unless commits do not wait for that; then only
 * what has been inserted is known to contain it. A segment of the log has a name that begins with the timeline, which changes with
 * a promotion. Servers have different system identifiers, unless one is a copy of the files of the other.
 */
export const postgresReplication: Replication = {
  placeSql: `SELECT CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS BIGINT) || '/' || left(pg_walfile_name(lsn), 8)
        AS instance,
      CAST(lsn AS TEXT) AS log
    FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_flush_lsn() END AS lsn) place`,
  replicaSql: `SELECT pg_is_in_recovery() AS standby, CAST(pg_last_wal_replay_lsn() AS TEXT) AS log, ${lineageSql} AS lineage`,
  digestSql: `SELECT encode(sha256(content), 'hex') || '/' || system_identifier AS digest
    FROM server_secret, pg_control_system() WHERE name = 'server'`,
  hasReplayed: (replica, primary) => bytesOf(replica) >= bytesOf(primary),
};
