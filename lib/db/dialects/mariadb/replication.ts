import { lineageSql, type Replication } from '../server/replication.ts';

/** The newest transaction of each replication domain, of a list such as `0-1-270,1-3-12`. */
function newestOf(gtids: string): Map<string, bigint> {
  const newest = new Map<string, bigint>();
  for (const gtid of gtids.split(',')) {
    const [domain, , sequence] = gtid.trim().split('-');
    if (domain !== undefined && sequence !== undefined) newest.set(domain, BigInt(sequence));
  }
  return newest;
}

/**
 * Replication with global transaction ids. The primary logs a transaction before it shows it. UUID_SHORT counts in its lower 24 bits
 * from the second in which the server was started.
 */
export const mariadbReplication: Replication = {
  placeSql: "SELECT CONCAT(@@server_id, '/', UUID_SHORT() >> 24) AS instance, @@gtid_binlog_pos AS log",
  // From MariaDB 12 on the variable is a word.
  replicaSql: `SELECT CONCAT(@@read_only) NOT IN ('0', 'OFF') AS standby, @@gtid_slave_pos AS log, ${lineageSql} AS lineage`,
  digestSql: "SELECT SHA2(content, 256) AS digest FROM server_secret WHERE name = 'server'",
  hasReplayed(replica, primary) {
    const replayed = newestOf(replica);
    const logged = [...newestOf(primary)];
    return logged.length > 0 && logged.every(([domain, newest]) => (replayed.get(domain) ?? -1n) >= newest);
  },
};
