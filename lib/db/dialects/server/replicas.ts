import { setTimeout as sleep } from 'node:timers/promises';
import { showGauge } from '../../../telemetry/gauges.ts';
import type { ReadReplicas, ReplicaChange, ReplicaStatus } from '../../replica-status.ts';
import { Replica, type ReplicaParts, type ReplicaRead } from './replica.ts';
import type { PrimaryLog } from './replication.ts';

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
  readonly #endShowing: readonly (() => void)[];

  constructor(log: PrimaryLog, replicas: readonly ReplicaParts[]) {
    this.#log = log;
    this.#replicas = replicas.map((parts) => new Replica(parts, (change) => this.#noteChange(change)));
    this.#endShowing = [
      showGauge('replicaUsed', () => this.#byHost(({ state }) => (state === 'used' ? 1 : 0))),
      showGauge('replicaLag', () => this.#byHost(({ lag }) => (lag === null ? undefined : lag / 1000))),
      showGauge('replicaReads', () => this.#byHost(({ reads }) => reads)),
    ];
  }

  start(onChange: (change: ReplicaChange) => void): void {
    this.#onChange = onChange;
    this.#probe();
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
    const point = await this.#log.point().catch(() => undefined);
    if (point === undefined) return onPrimary();
    for (const replica of used) {
      const found = await replica.read({ work, byKey, point });
      if (found !== undefined) return found.result;
    }
    return onPrimary();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    for (const end of this.#endShowing) end();
    await this.#probing;
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  async #byHost(read: (status: ReplicaStatus) => number | undefined): Promise<Record<string, number>> {
    return Object.fromEntries(
      (await this.status()).flatMap((status) => {
        const value = read(status);
        return value === undefined ? [] : [[status.host, value]];
      }),
    );
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

  /** Tries those that are not used, until all are. */
  #probe(): void {
    this.#probing ??= this.#probeUnused().finally(() => {
      this.#probing = undefined;
    });
  }

  async #probeUnused(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const unused = this.#replicas.filter(({ isUsed }) => !isUsed);
      if (unused.length === 0) return;
      // While the primary can't be asked, no replica can be used.
      await Promise.allSettled(unused.map((replica) => replica.probe(this.#log)));
      await sleep(probeEvery, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
