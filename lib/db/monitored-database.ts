import { randomBytes } from 'node:crypto';
import { LrsError, type OutageError, outageOf, StorageFailureError, UnavailableError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { measureDatabase } from '../telemetry/measure.ts';
import { currentSpan, type SpanAttributes, traced } from '../telemetry/trace.ts';
import { CommitOutcomeUnknownError } from './commit-outcome.ts';
import type { Dialect } from './dialects/dialect.ts';
import { type ReadReplicas, type ReplicaChange, unusedReasons } from './replica-status.ts';
import { attachment } from './tables/statements.ts';
import { rowsOf } from './tables/table.ts';
import { tracedReads, tracedWrites } from './traced-session.ts';
import type {
  BatchCheck,
  Batches,
  BatchSession,
  Database,
  ReadOptions,
  ReadSession,
  TryLockRead,
  WriteOptions,
  WriteSession,
} from './types.ts';
import type { WriteTarget } from './write-target.ts';

/** The bytes of a trial write: more than the free space in existing pages, unless the database has been emptied. */
const trialBytes = 64 * 1024;

/** A row that is removed in the transaction that inserts it; no attachment has this hash. */
const trialTable = rowsOf(attachment);
const trialHash = 'trial write';

/**
 * A database that knows whether it can store anything: a disk may be full, a server read-only, or a file moved, while reads
 * still work.
 */
export class MonitoredDatabase implements Database {
  readonly dialect: Dialect;
  readonly batches: Batches | undefined;
  readonly replicas: ReadReplicas | undefined;
  readonly writeTarget: WriteTarget | undefined;
  readonly #db: Database;
  readonly #logger: Logger;
  #isClosed = false;
  #refusesWrites = false;
  /** Whether a trial write has to show first that data can be stored: nothing is known of it after the start. */
  #mustTry = true;
  /** Those that have begun and not ended, by what the log says of them. */
  readonly #outages = new Map<string, OutageError>();

  constructor(db: Database, logger: Logger) {
    this.dialect = db.dialect;
    this.#db = db;
    this.#logger = logger;
    this.writeTarget = db.writeTarget;
    this.writeTarget?.follow((host) => this.#logger.info({ host }, `writes go to ${host}`));
    this.replicas = db.replicas;
    this.replicas?.start((change) => this.#noteReplica(change));
    const { batches } = db;
    if (batches !== undefined) {
      this.batches = {
        maximumBytes: batches.maximumBytes,
        send: <Row extends object>(fill: (session: BatchSession) => Promise<BatchCheck>) => {
          const sent = this.#watch(() => batches.send<Row>(fill));
          return measureDatabase('batch', traced('BATCH', sent, batchAttributes(db.dialect)));
        },
      };
    }
  }

  /** The outage that was noted last, until a write succeeds. */
  get outage(): OutageError | undefined {
    return [...this.#outages.values()].at(-1);
  }

  read<T>(work: (session: ReadSession) => Promise<T>, options?: ReadOptions): Promise<T> {
    if (this.#isClosed) return Promise.reject(closed());
    const isTraced = currentSpan() !== undefined;
    const watched = isTraced ? (session: ReadSession): Promise<T> => work(tracedReads(session)) : work;
    return measureDatabase('read', this.#db.read(watched, options).catch(this.#noteFailure));
  }

  write<T>(work: (session: WriteSession) => Promise<T>, options?: WriteOptions): Promise<T> {
    const isTraced = currentSpan() !== undefined;
    const watched = isTraced ? (session: WriteSession): Promise<T> => work(tracedWrites(session)) : work;
    return measureDatabase(
      'write',
      this.#watch(() => this.#db.write(watched, options)),
    );
  }

  tryLockRead<Row extends object>(sql: string): Promise<TryLockRead<Row>> {
    if (this.#isClosed) return Promise.reject(closed());
    return this.#db.tryLockRead(sql);
  }

  async #watch<T>(write: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed();
    try {
      const result = await write();
      if (this.#outages.size > 0) this.#noteReturn();
      return result;
    } catch (error) {
      if (error instanceof StorageFailureError) this.#note(error);
      return this.#noteFailure(error);
    }
  }

  /**
   * Begins a transaction, which needs no standby, so the server is asked about those. The first one is a trial write, as is the
   * next one after data could not be stored.
   * @throws UnavailableError
   */
  async tryToWrite(): Promise<void> {
    const trial = this.#mustTry;
    try {
      await this.#watch(async () => {
        await this.#db.requireStandbys?.();
        await this.write(async (session) => {
          if (trial) await storeAndRemove(session);
          else await session.select('SELECT 1 AS one');
        });
      });
    } catch (error) {
      // Nothing was sent whose outcome could be unknown.
      if (!(error instanceof CommitOutcomeUnknownError)) throw error;
      throw outageOf(error) ?? new UnavailableError('The database is out of reach.', { cause: error.cause });
    }
    if (!trial) return;
    this.#mustTry = false;
    if (!this.#refusesWrites) return;
    this.#refusesWrites = false;
    this.#logger.info('the database stores what is written again');
  }

  /** Ends what has begun, and refuses everything else from now on. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#db.close();
  }

  readonly #noteFailure = (error: unknown): never => {
    const outage = outageOf(error);
    if (outage !== undefined) this.#noteOutage(outage);
    // Drivers and pools have errors of their own for what was waiting when they were closed.
    if (this.#isClosed && !(error instanceof LrsError)) throw closed(error);
    throw error;
  };

  #noteOutage(outage: OutageError): void {
    const isKnown = this.#outages.delete(outage.begins);
    this.#outages.set(outage.begins, outage);
    if (isKnown) return;
    this.#logger.error({ err: outage.cause }, outage.begins);
  }

  #noteReplica({ host, state, advice, error }: ReplicaChange): void {
    const details = { host, state, ...(error !== undefined && { err: error }) };
    if (state === 'used') this.#logger.info(details, 'reads are sent to the replica');
    else if (state === 'primary' && this.writeTarget?.includes(host))
      this.#logger.info(details, 'reads are not sent to the server as a replica, because it accepts writes');
    else this.#logger.warn(details, `no reads are sent to the replica: ${advice ?? unusedReasons[state]}`);
  }

  #noteReturn(): void {
    const outages = [...this.#outages.values()];
    this.#outages.clear();
    for (const { ends } of outages) this.#logger.info(ends);
  }

  #note({ cause }: StorageFailureError): void {
    this.#mustTry = true;
    if (this.#refusesWrites) return;
    this.#refusesWrites = true;
    this.#logger.error(
      { err: cause },
      'the database can store nothing: look whether its disk is full or broken, or the server read-only',
    );
  }
}

const closed = (cause?: unknown): UnavailableError =>
  new UnavailableError('The database was closed meanwhile.', { cause });

async function storeAndRemove(session: WriteSession): Promise<void> {
  await session.insert(trialTable, [[trialHash, trialBytes, randomBytes(trialBytes)]]);
  await session.execute('DELETE FROM attachment WHERE sha2 = :hash', { hash: trialHash });
}

const batchAttributes = ({ name }: Dialect): SpanAttributes => ({
  'db.system.name': name,
  'db.operation.name': 'BATCH',
});
