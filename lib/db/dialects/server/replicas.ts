import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../../../errors.ts';
import type { ReadReplicas, ReplicaChange, ReplicaStatus } from '../../replica-status.ts';
import { Replica, type ReplicaParts, type ReplicaRead } from './replica.ts';
import type { PrimaryLog, ReplicationPoint } from './replication.ts';

/** Milliseconds after which replicas that are not used are tried again. */
const probeEvery = 1000;

/** The replicas that serve reads, each of which has replayed what was committed when the read began. */
export class Replicas implements ReadReplicas {
  readonly #log: PrimaryLog;
  readonly #replicas: readonly Replica[];
  readonly #closed = new AbortController();
  #onChange: (change: ReplicaChange) => void = () => {};
  #probing: Promise<void> | undefined;
  #asking: Promise<readonly ReplicaStatus[]> | undefined;
  #next = 0;

  constructor(log: PrimaryLog, replicas: readonly ReplicaParts[]) {
    this.#log = log;
    this.#replicas = replicas.map((parts) => new Replica(parts, (change) => this.#noteChange(change)));
  }

  start(onChange: (change: ReplicaChange) => void): void {
    this.#onChange = onChange;
    this.#probe();
  }

  onQuestion(callback: () => void): void {
    this.#log.onQuestion(callback);
  }

  status(): Promise<readonly ReplicaStatus[]> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<readonly ReplicaStatus[]> {
    await Promise.allSettled(this.#replicas.map((replica) => replica.probe(this.#log)));
    return this.#replicas.map(({ status }) => status);
  }

  /** @param onPrimary is called when no replica can serve the read. @throws what the work or `onPrimary` throws. */
  async read<T>(
    { work, byKey }: Pick<ReplicaRead<T>, 'work' | 'byKey'>,
    onPrimary: () => Promise<T>,
  ): Promise<T> {
    const used = this.#used();
    if (used.length === 0) return onPrimary();
    const point = await this.#point();
    if (point === undefined) return onPrimary();
    for (const replica of used) {
      const found = await replica.read({ work, byKey, point });
      if (found === undefined) continue;
      if ('result' in found) return found.result;
      const result = await onPrimary();
      replica.noteFailure(found.error);
      return result;
    }
    return onPrimary();
  }

  /** @throws UnavailableError when the primary can't be asked, so that it is not asked twice for as long as it may take. */
  async #point(): Promise<ReplicationPoint | undefined> {
    try {
      return await this.#log.point();
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#probing;
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  /** Those that are used, the one with the fewest reads first; of several, each in turn. */
  #used(): Replica[] {
    this.#next = (this.#next + 1) % this.#replicas.length;
    return [...this.#replicas.slice(this.#next), ...this.#replicas.slice(0, this.#next)]
      .filter(({ isUsed }) => isUsed)
      .sort((one, other) => one.reading - other.reading);
  }

  #noteChange(change: ReplicaChange): void {
    this.#onChange(change);
    if (change.state !== 'used') this.#probe();
  }

  #probe(): void {
    this.#probing ??= this.#probeUnused();
  }

  /** Tries those that are not used, until all are. While the primary can't be asked, none can be used. */
  async #probeUnused(): Promise<void> {
    const { signal } = this.#closed;
    do {
      await Promise.allSettled(this.#unused().map((replica) => replica.probe(this.#log)));
      await sleep(probeEvery, undefined, { signal, ref: false }).catch(() => {});
    } while (!signal.aborted && this.#unused().length > 0);
    this.#probing = undefined;
  }

  #unused(): Replica[] {
    return this.#replicas.filter(({ isUsed }) => !isUsed);
  }
}
