import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuSecondsOfTree } from '../../../bench/usage.ts';
import type { ReplicaStatus } from '../../../lib/db/replica-status.ts';
import { type ClusterNode, startPostgresCluster } from '../../support/postgres-cluster.ts';
import { conditionLimit } from '../../support/time-limits.ts';
import { clientSettings, PatientClient } from '../client.ts';
import { ClusterClient, type Refusals } from '../cluster/client.ts';
import { RestartedServer } from '../servers.ts';

export interface ReplicaProofOptions {
  /** How many times something is written through one process and read through the other. */
  readonly pairs: number;
  /** How long (seconds) clients only read while processor time is measured. */
  readonly seconds: number;
  /** Arguments of `node` that run a process of the LRS. */
  readonly program: readonly string[];
  readonly progress?: (line: string) => void;
}

export interface ReplicaProofResult {
  readonly pairs: number;
  /** What a read did not show although it had been acknowledged before. */
  readonly missed: readonly string[];
  /** Answers that no client should get. */
  readonly failures: readonly string[];
  /** Reads that replicas served while pairs were written and read, and one replica was killed and came back. */
  readonly replicaReads: number;
  /** Requests that were answered a second while clients only read. */
  readonly readRate: number;
  /** Processor time of the primary and of the replicas meanwhile, in seconds. */
  readonly processorSeconds: readonly number[];
  /** The primary's share of it. */
  readonly primaryShare: number;
}

const database = 'lrs';
const clients = 4;
const readers = 8;
/** How much later (ms) one replica has everything; less than a read waits, and more. */
const delays = { short: 20, long: 10_000 } as const;

export const isProven = ({ missed, failures, replicaReads }: ReplicaProofResult): boolean =>
  missed.length === 0 && failures.length === 0 && replicaReads > 0;

/** Writes through one process and reads through another, with replicas that are late or killed; then only reads. */
export async function proveReplicas({
  pairs,
  seconds,
  program,
  progress = () => {},
}: ReplicaProofOptions): Promise<ReplicaProofResult> {
  const cluster = await startPostgresCluster({ synchronous: false });
  if (cluster === undefined) throw new Error('The programs of Postgres are not installed.');
  const folder = mkdtempSync(join(tmpdir(), 'lrs-replicas-'));
  const [primary, ...replicas] = cluster.nodes;
  const [late, later] = replicas;
  if (primary === undefined || late === undefined || later === undefined)
    throw new Error('Two replicas are needed.');
  await createDatabase(cluster.url());
  const settings = settingsOf(primary, replicas);
  const servers = [0, 1].map(() => new RestartedServer({ program, settings, folder }));
  const refusals: Refusals = { retries: 0, failures: [] };
  try {
    for (const server of servers) await server.start();
    const [writing = '', reading = ''] = servers.map(({ address }) => address);
    const traffic = new Traffic(writing, reading, refusals);
    const used = () => allUsed(reading);
    await used();
    await late.delay(delays.short);
    await later.delay(delays.long);
    await traffic.pairs(pairs / 2);
    progress(`${traffic.done} pairs written and read, one replica ${delays.long} ms late`);
    await late.kill();
    await traffic.pairs(pairs / 4);
    await later.delay(0);
    await late.start();
    await late.delay(0);
    await used();
    await traffic.pairs(pairs - traffic.done);
    progress(`${traffic.done} pairs written and read, one replica killed and back`);
    const replicaReads = (await replicasOf(reading)).reduce((sum, { reads }) => sum + reads, 0);
    await used();
    const before = cluster.nodes.map(processorSecondsOf);
    const reads = await traffic.read(seconds);
    const processorSeconds = cluster.nodes.map(
      (node, index) => processorSecondsOf(node) - (before[index] ?? 0),
    );
    const total = processorSeconds.reduce((sum, each) => sum + each, 0);
    return {
      ...{ pairs: traffic.done, missed: traffic.missed, failures: refusals.failures, replicaReads },
      readRate: Math.round(reads / seconds),
      processorSeconds,
      primaryShare: (processorSeconds[0] ?? 0) / total,
    };
  } finally {
    for (const server of servers) await server.kill();
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

const settingsOf = ({ host }: ClusterNode, replicas: readonly ClusterNode[]): Record<string, string> => ({
  ...clientSettings,
  ...{ LRS_DB_TYPE: 'postgres', LRS_DB_NAME: database, LRS_DB_USER: 'postgres', LRS_DB_HOST: host },
  LRS_DB_READ_HOSTS: replicas.map((replica) => replica.host).join(','),
  LRS_ENABLE_ADMIN_STATUS: 'true',
});

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${database}`);
  await client.end();
}

const processorSecondsOf = ({ pid }: ClusterNode): number => (pid === undefined ? 0 : cpuSecondsOfTree(pid));

async function replicasOf(address: string): Promise<readonly ReplicaStatus[]> {
  const client = new PatientClient(() => [address]);
  return (await client.admin('/admin/status?include=replicas')).replicas;
}

async function allUsed(address: string): Promise<void> {
  for (const deadline = Date.now() + conditionLimit; ; await sleep(100)) {
    const states = await replicasOf(address);
    if (states.every(({ state }) => state === 'used')) return;
    if (Date.now() > deadline) throw new Error(`The replicas are not used: ${JSON.stringify(states)}`);
  }
}

/** What clients write and read. */
class Traffic {
  readonly missed: string[] = [];
  readonly #writers: readonly ClusterClient[];
  readonly #readers: readonly ClusterClient[];
  readonly #ids: string[] = [];
  #done = 0;

  constructor(writing: string, reading: string, refusals: Refusals) {
    this.#writers = Array.from({ length: clients }, () => new ClusterClient([writing], refusals, 0));
    this.#readers = Array.from({ length: readers }, () => new ClusterClient([reading], refusals, 0));
  }

  get done(): number {
    return this.#done;
  }

  /** Writes through one process, and reads through the other as soon as that is acknowledged. */
  async pairs(count: number): Promise<void> {
    const end = this.#done + Math.ceil(count);
    await Promise.all(
      this.#writers.map(async (writer, index) => {
        const reader = this.#readers[index] ?? writer;
        while (this.#done < end) {
          this.#done += 1;
          await (this.#done % 5 === 0 ? this.#document(writer, reader) : this.#statement(writer, reader));
        }
      }),
    );
  }

  async #statement(writer: ClusterClient, reader: ClusterClient): Promise<void> {
    const id = randomUUID();
    const body = JSON.stringify({ id, ...content });
    await writer.send('/xapi/statements', { method: 'POST', body });
    this.#ids.push(id);
    const query = this.#done % 2 === 0 ? `statementId=${id}` : 'limit=50';
    const { status, body: found } = await reader.send(`/xapi/statements?${query}`);
    if (status !== 200 || !found.includes(id)) this.missed.push(`${query}: ${status}`);
  }

  async #document(writer: ClusterClient, reader: ClusterClient): Promise<void> {
    const path = `/xapi/activities/state?${documentOf(randomUUID())}`;
    const text = randomUUID();
    await writer.send(path, { method: 'PUT', body: JSON.stringify(text) });
    const stored = await reader.send(path);
    if (!stored.body.includes(text)) this.missed.push(`${path}: ${stored.status}`);
    await writer.send(path, { method: 'DELETE' });
    const deleted = await reader.send(path);
    if (deleted.status !== 404) this.missed.push(`${path} after its deletion: ${deleted.status}`);
  }

  /** Reads pages and single statements. @returns the number of answers. */
  async read(seconds: number): Promise<number> {
    const end = performance.now() + seconds * 1000;
    let answers = 0;
    await Promise.all(
      this.#readers.map(async (reader, index) => {
        for (let round = index; performance.now() < end; round += 1) {
          await reader.send(`/xapi/statements?${this.#query(round)}`);
          answers += 1;
        }
      }),
    );
    return answers;
  }

  #query(round: number): string {
    switch (round % 4) {
      case 0:
        return `statementId=${this.#ids[round % this.#ids.length]}`;
      case 1:
        return 'limit=50';
      case 2:
        return `limit=50&agent=${encodeURIComponent(JSON.stringify(content.actor))}`;
      default:
        return `limit=50&ascending=true&verb=${encodeURIComponent(content.verb.id)}`;
    }
  }
}

const content = {
  actor: { mbox: 'mailto:someone@example.org' },
  verb: { id: 'https://example.org/verbs/did' },
  object: { id: 'https://example.org/activities/something' },
};

const documentOf = (stateId: string): URLSearchParams =>
  new URLSearchParams({ activityId: content.object.id, agent: JSON.stringify(content.actor), stateId });
