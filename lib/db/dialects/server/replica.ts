import { setTimeout as sleep } from 'node:timers/promises';
import { LrsError } from '../../../errors.ts';
import type { ReplicaChange, ReplicaState, ReplicaStatus } from '../../replica-status.ts';
import type { ReadSession } from '../../types.ts';
import type { ConnectionSource, ConnectionWork } from './connection-source.ts';
import type { ServerConnection, ServerEngine } from './engine.ts';
import { inTime, Liveness } from './liveness.ts';
import { isAcquireTimeout } from './network-error.ts';
import {
  digestWith,
  type PrimaryLog,
  type ReplicaRow,
  type Replication,
  type ReplicationPoint,
} from './replication.ts';

/** How long (ms) a replica that has failed a read of the primary's is left out. */
const rest = 60_000;

export interface ReplicaParts {
  readonly engine: ServerEngine;
  readonly replication: Replication;
  /** Its connections. */
  readonly reader: ConnectionSource;
  /** How long (ms) a read waits for the replica to replay what it depends on. */
  readonly maxWait: number;
}

/** What a read has found; the object tells it from no result. */
export interface Found<T> {
  readonly result: T;
}

/** The error of a read that may be due to the read or to the replica. */
export interface Failed {
  readonly error: unknown;
}

export interface ReplicaRead<T> {
  readonly work: (session: ReadSession) => Promise<T>;
  readonly byKey: boolean;
  /** What the replica must have replayed. */
  readonly point: ReplicationPoint;
}

/** A replica that serves reads as long as it responds and has replayed what they depend on. */
export class Replica {
  readonly #parts: ReplicaParts;
  readonly #onChange: (change: ReplicaChange) => void;
  readonly #liveness: Liveness;
  #state: ReplicaState = 'unknown';
  /** The latest moment whose commits the replica is known to have; milliseconds since any moment. */
  #hasUntil: number | undefined;
  #reading = 0;
  #reads = 0;
  /** Until when it is left out; milliseconds since any moment. */
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(parts: ReplicaParts, onChange: (change: ReplicaChange) => void) {
    this.#parts = parts;
    this.#onChange = onChange;
    this.#liveness = new Liveness(parts.engine);
  }

  get isUsed(): boolean {
    return this.#state === 'used';
  }

  get #isResting(): boolean {
    return performance.now() < this.#restsUntil;
  }

  /** The number of reads that it serves now. */
  get reading(): number {
    return this.#reading;
  }

  get status(): ReplicaStatus {
    const lag = this.#hasUntil === undefined ? null : Math.round(performance.now() - this.#hasUntil);
    return { host: this.#host, state: this.#state, lag: this.isUsed ? 0 : lag, reads: this.#reads };
  }

  get #host(): string {
    return this.#parts.engine.hosts.text;
  }

  /**
   * @returns undefined when the replica can't serve the read; an error when only the primary can tell what it is due to.
   * @throws LrsError when the work does.
   */
  async read<T>({ work, byKey, point }: ReplicaRead<T>): Promise<Found<T> | Failed | undefined> {
    const { reader } = this.#parts;
    let isWorking = false;
    const onConnection: ConnectionWork<Found<T> | undefined> = async (connection, lent) => {
      if (!(await this.#reaches(connection, point))) return undefined;
      isWorking = true;
      const session = reader.session(connection, lent);
      return { result: await this.#liveness.whileWorking(lent, () => work(session)) };
    };
    this.#reading += 1;
    try {
      const found = await (byKey ? reader.share(onConnection) : reader.use(onConnection));
      if (found !== undefined) this.#reads += 1;
      return found;
    } catch (error) {
      if (isWorking && error instanceof LrsError) throw error;
      if (isWorking && !this.#isFailing(error)) return { error };
      this.#leaveFor(error);
      return undefined;
    } finally {
      this.#reading -= 1;
    }
  }

  /** Call it when the primary has served a read that failed here. */
  noteFailure(error: unknown): void {
    // It may be slower than the primary.
    if (this.#parts.engine.dialect.isStatementTimeout(error)) return;
    this.#restsUntil = performance.now() + rest;
    this.#become('unreachable', error);
  }

  /** Finds out whether a replica that is not used can be used. @throws UnavailableError when the primary can't be asked. */
  async probe(log: PrimaryLog): Promise<void> {
    if (this.#isResting) return;
    const { replication } = this.#parts;
    // While it does not respond, the primary need not be asked.
    if ((await this.#tried((connection) => this.#ask(connection))) === undefined) return;
    const point = await log.storedPoint();
    if (point === undefined) return;
    const digest = await this.#tried(async (connection) =>
      (await this.#reaches(connection, point)) || this.#state === 'primary'
        ? null
        : digestWith(connection, replication),
    );
    // Asked afterwards, because what a replica has, its primary has had before.
    const isForeign = typeof digest?.result === 'string' && digest.result !== (await log.digest());
    if (isForeign) this.#become('foreign');
  }

  /** @returns undefined when the replica fails. */
  async #tried<T>(work: ConnectionWork<T>): Promise<Found<T> | undefined> {
    try {
      return { result: await this.#parts.reader.use(work) };
    } catch (error) {
      this.#leaveFor(error);
      return undefined;
    }
  }

  close(): Promise<void> {
    return this.#parts.reader.close();
  }

  /** Waits, as long as a read may wait, until the replica has replayed what the primary had logged. */
  async #reaches(connection: ServerConnection, point: ReplicationPoint): Promise<boolean> {
    const deadline = performance.now() + this.#parts.maxWait;
    for (let pause = 1; ; pause *= 2) {
      const row = await this.#ask(connection);
      if (!row.standby) {
        this.#become('primary');
        return false;
      }
      if (this.#isResting) return false;
      if (this.#has(row, point)) {
        this.#hasUntil = Math.max(this.#hasUntil ?? 0, point.at);
        this.#become('used');
        return true;
      }
      const left = deadline - performance.now();
      if (left <= 0) {
        if (this.#state !== 'foreign') this.#become('lagging');
        return false;
      }
      await sleep(Math.min(pause, left));
    }
  }

  #has({ log, lineage }: ReplicaRow, point: ReplicationPoint): boolean {
    return lineage === point.lineage && log !== null && this.#parts.replication.hasReplayed(log, point.log);
  }

  async #ask(connection: ServerConnection): Promise<ReplicaRow> {
    const [row] = await inTime(connection.select<ReplicaRow>(this.#parts.replication.replicaSql));
    if (row === undefined) throw new Error('The replica says nothing about its log.');
    return row;
  }

  /** Whether the error is due to the replica: it fails, or the read conflicts with what is being replayed. */
  #isFailing(error: unknown): boolean {
    const { dialect } = this.#parts.engine;
    if (dialect.isStatementTimeout(error)) return false;
    return dialect.isUnavailable(error) || dialect.isTransient(error);
  }

  /** The replica is used no longer, if the error says so. */
  #leaveFor(error: unknown): void {
    const { dialect } = this.#parts.engine;
    if (isAcquireTimeout(error)) void this.#leaveIfSilent(error);
    else if (dialect.isMissingTable(error)) this.#become('foreign', error);
    else if (dialect.isConnectionLost(error) || !dialect.isTransient(error))
      this.#become('unreachable', error);
  }

  /** All connections may be in use, or none can be opened. */
  async #leaveIfSilent(error: unknown): Promise<void> {
    if (!(await this.#liveness.responds())) this.#become('unreachable', error);
  }

  #become(state: ReplicaState, error?: unknown): void {
    if (this.#state === state) return;
    this.#state = state;
    // What is no replica is not behind.
    if (state === 'primary' || state === 'foreign') this.#hasUntil = undefined;
    const { engine } = this.#parts;
    this.#onChange({
      host: this.#host,
      state,
      error,
      advice: error === undefined ? undefined : engine.advice(error),
    });
  }
}
