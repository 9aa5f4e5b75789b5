import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheEpoch } from '../../tables/mentions.ts';
import { rowsOf } from '../../tables/table.ts';
import type { Database, ReadSession } from '../../types.ts';
import { DatabaseUnusableError } from '../../unusable.ts';

/** The row of `cache_epoch` that says which history of the database a server has. */
export const lineageSql = "(SELECT epoch FROM cache_epoch WHERE name = 'lineage')";

const lineageRow = 'lineage';
const epochTable = rowsOf(cacheEpoch);
/** A lineage is 32 bits of the hash of its primary's `instance`, times this, plus a random number. */
const lineageRange = 2 ** 20;

/** What a server that accepts writes says about itself. */
export interface PrimaryPlace {
  /** Another text for another server, and after each start and each promotion of a server. */
  readonly instance: string;
  /** The end of its log, which contains all that it has committed; empty where it writes none. */
  readonly log: string;
}

/** The same, with the lineage that it shows. */
type PrimaryRow = PrimaryPlace & Pick<ReplicaRow, 'lineage'>;

/** What a replica says about itself. */
export interface ReplicaRow {
  /** Whether it is a replica, on which nothing can be written. */
  readonly standby: number | boolean;
  /** The end of the log that it has replayed; reads that begin now see what that log contains. */
  readonly log: string | null;
  readonly lineage: number | null;
}

/** How the servers of an engine replicate. */
export interface Replication {
  /** Selects one `PrimaryPlace`. */
  readonly placeSql: string;
  /** Selects one `ReplicaRow`. */
  readonly replicaSql: string;
  /** Selects the `digest` of the secret of the database, which a replica shares with its primary. */
  readonly digestSql: string;
  /** Whether the log that a replica has replayed contains that of the primary, if both have the same lineage. */
  hasReplayed(replica: string, primary: string): boolean;
}

/** @throws DatabaseUnusableError where the logs of servers can't be compared. */
export function requireReplication({
  replication,
}: {
  readonly replication: Replication | undefined;
}): Replication {
  if (replication !== undefined) return replication;
  throw new DatabaseUnusableError(
    'A Galera cluster has no replicas that dbReadHosts could name: leave it out; each node can be named in dbHost.',
  );
}

/** A moment in the history of a database. */
export interface ReplicationPoint {
  readonly lineage: number;
  readonly log: string;
  /** When it was asked for; milliseconds since any moment. */
  readonly at: number;
}

const hashOf = (instance: string): number => createHash('sha256').update(instance).digest().readUInt32BE();

/** The lineage that the primary has stored itself since it was started and promoted; a copy of a database has that of another one. */
const ownLineage = ({ instance, lineage }: PrimaryRow): number | undefined =>
  lineage !== null && Math.floor(lineage / lineageRange) === hashOf(instance) ? lineage : undefined;

/**
 * Where the primary is in its log. Callers share a query, unless it was sent before they asked.
 *
 * Logs of a promoted, restored or copied server can't be compared with those of the former one, so each primary stores a random number,
 * its lineage, after each start: a replica that has it has replayed what this primary has written, and follows it
 * (docs/decisions/0075-lineage.md).
 */
export class PrimaryLog {
  readonly #db: Pick<Database, 'read' | 'write'>;
  readonly #replication: Replication;
  readonly #gather: number;
  readonly #onQuestion: (() => void)[] = [];
  #sent: Promise<unknown> = Promise.resolve();
  #askedAt = Number.NEGATIVE_INFINITY;
  /** The lineage that the primary is known to have stored since it was started and promoted, which it does once. */
  #own: { readonly instance: string; readonly lineage: number } | undefined;
  #next: Promise<ReplicationPoint | undefined> | undefined;
  #storing: Promise<void> | undefined;

  /** @param gather the shortest time (ms) between two questions. */
  constructor(db: Pick<Database, 'read' | 'write'>, replication: Replication, gather: number) {
    this.#db = db;
    this.#replication = replication;
    this.#gather = gather;
  }

  /** See `ReadReplicas`. */
  onQuestion(callback: () => void): void {
    this.#onQuestion.push(callback);
  }

  /**
   * A moment that is not before this call: what was committed when it was called had been logged.
   * @returns undefined while the primary has not stored its lineage.
   * @throws UnavailableError when the primary can't be asked.
   */
  point(): Promise<ReplicationPoint | undefined> {
    this.#next ??= this.#askNext();
    return this.#next;
  }

  /** Waits until the primary has stored its lineage. @throws UnavailableError when it can't be asked, or can store nothing. */
  async storedPoint(): Promise<ReplicationPoint | undefined> {
    // The row may have been replaced, as by a backup that was restored into the running server.
    this.#own = undefined;
    const point = await this.point();
    if (point !== undefined) return point;
    await this.#storeLineage();
    return this.point();
  }

  /** The digest of the secret of the database. */
  digest(): Promise<string | null> {
    return this.#db.read((session) => digestWith(session, this.#replication), { byKey: true });
  }

  async #askNext(): Promise<ReplicationPoint | undefined> {
    await this.#sent.catch(() => {});
    const early = this.#askedAt + this.#gather - performance.now();
    if (early > 0) await sleep(early);
    this.#askedAt = performance.now();
    this.#next = undefined;
    const asked = this.#ask();
    this.#sent = asked;
    return asked;
  }

  async #ask(): Promise<ReplicationPoint | undefined> {
    const at = performance.now();
    const asked = this.#db.read((session) => only<PrimaryPlace>(session, this.#replication.placeSql), {
      byKey: true,
    });
    for (const callback of this.#onQuestion) callback();
    const { instance, log } = await asked;
    if (this.#own?.instance !== instance) await this.#readLineage();
    if (this.#own?.instance === instance) return { log, lineage: this.#own.lineage, at };
    // Reads do not wait for a write.
    this.#storeLineage().catch(() => {});
    return undefined;
  }

  /** It costs the primary as much as its place in the log, and changes only when it is started or promoted. */
  async #readLineage(): Promise<void> {
    const row = await this.#db.read((session) => this.#selectRow(session), { byKey: true });
    const lineage = ownLineage(row);
    this.#own = lineage === undefined ? undefined : { instance: row.instance, lineage };
  }

  /** Another process may have stored one meanwhile. */
  #storeLineage(): Promise<void> {
    this.#storing ??= this.#db
      .write(async (session) => {
        const row = await this.#selectRow(session);
        if (ownLineage(row) !== undefined) return;
        const lineage = hashOf(row.instance) * lineageRange + randomInt(lineageRange);
        await session.upsert(epochTable, [[lineageRow, lineage]], ['epoch']);
      })
      .finally(() => {
        this.#storing = undefined;
      });
    return this.#storing;
  }

  #selectRow(session: ReadSession): Promise<PrimaryRow> {
    const { placeSql } = this.#replication;
    return only(session, `SELECT place.*, ${lineageSql} AS lineage FROM (${placeSql}) place`);
  }
}

async function only<Row extends object>(session: ReadSession, sql: string): Promise<Row> {
  const [row] = await session.select<Row>(sql);
  if (row === undefined) throw new Error('The primary says nothing about its log.');
  return row;
}

/** The digest of the secret of the database that the session reads. */
export async function digestWith(
  session: Pick<ReadSession, 'select'>,
  { digestSql }: Replication,
): Promise<string | null> {
  const [row] = await session.select<{ digest: string }>(digestSql);
  return row?.digest ?? null;
}
