import type { ReplicaStatus } from './db/replica-status.ts';
import type { Lrs } from './lrs.ts';
import { showGauge } from './telemetry/gauges.ts';

/** Milliseconds for which the answer of the database to a question of metrics is kept. */
const keptMilliseconds = 15_000;

/** Shows, in the metrics, what the database knows. @returns ends it. */
export function showLrs({ feed, settings, status }: Pick<Lrs, 'feed' | 'settings' | 'status'>): () => void {
  const consumers = kept(() => feed.list());
  const replicas = kept(() => status.replicas());
  const setup = kept(() => settings.describe());
  const byHost = async (read: (replica: ReplicaStatus) => number | null): Promise<Record<string, number>> => {
    const values = (await replicas()).map((replica) => [replica.host, read(replica)] as const);
    return Object.fromEntries(values.flatMap(([host, value]) => (value === null ? [] : [[host, value]])));
  };
  const server = (): Record<string, number> => {
    const host = status.databaseServer();
    return host === null ? {} : { [host]: 1 };
  };
  const shown = [
    showGauge('databaseServer', server),
    showGauge('replicaUsed', () => byHost(({ state }) => (state === 'used' ? 1 : 0))),
    showGauge('replicaLag', () => byHost(({ lag }) => (lag === null ? null : lag / 1000))),
    showGauge('replicaReads', () => byHost(({ reads }) => reads)),
    showGauge('consumerLag', async () =>
      Object.fromEntries((await consumers()).map(({ name, lag }) => [name, lag.seconds])),
    ),
    showGauge('consumerStatements', async () =>
      Object.fromEntries((await consumers()).map(({ name, lag }) => [name, lag.statements])),
    ),
    showGauge('databaseSize', async () => (await setup()).database.size),
  ];
  return () => {
    for (const end of shown) end();
  };
}

/** Asks at most once in a while, however often metrics are collected; not again while it is asking. */
function kept<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<T> | undefined;
  return () => {
    if (answer !== undefined && performance.now() - asked < keptMilliseconds) return answer;
    asked = performance.now();
    answer = ask();
    // What failed is asked again.
    answer.catch(() => {
      answer = undefined;
    });
    return answer;
  };
}
