import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientSettings } from '../client.ts';
import { RestartedServer } from '../servers.ts';
import { ClusterClient, type Refusals } from './client.ts';
import {
  type Acknowledged,
  contend,
  contradictions,
  follow,
  type Seen,
  type StoredStatement,
  type Winners,
  walk,
  write,
} from './traffic.ts';

/** Database servers that replicate each other, with an empty database. */
export interface ProofCluster {
  /** The settings of each process of the LRS that works on it. */
  readonly settings: readonly Readonly<Record<string, string>>[];
  /** Kills a database server, and resolves when the others have taken over. */
  disturb(): Promise<void>;
  /** Adds the killed server again. */
  repair(): Promise<void>;
  remove(): Promise<void>;
}

export interface ClusterProofOptions {
  readonly cluster: ProofCluster;
  /** How often a database server is killed. */
  readonly rounds: number;
  /** How long clients go on after that. */
  readonly seconds?: number;
  /** Arguments of `node` that run a process of the LRS. */
  readonly program: readonly string[];
  readonly progress?: (line: string) => void;
}

export interface ClusterProofResult {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Acknowledged, but not stored. */
  readonly lost: readonly string[];
  /** Stored twice. */
  readonly duplicates: readonly string[];
  /** Stored, but not seen by an incremental reader. */
  readonly unseen: readonly string[];
  /** Seen by an incremental reader twice, or seen and not stored. */
  readonly wronglySeen: readonly string[];
  /** Stored at a position before that of a statement whose acknowledgement came before it was sent. */
  readonly disordered: readonly string[];
  /** Documents of which several clients were told to have created them, and how many were created. */
  readonly contradictions: readonly string[];
  readonly documents: number;
  /** Answers that no client should get. */
  readonly failures: readonly string[];
  /** What the processes have logged last. */
  readonly log: string;
  /** Requests that were sent again after 503, or without an answer. */
  readonly retries: number;
  /** How long (ms) each writer was without an acknowledgement at most, beginning with a kill. */
  readonly longestOutage: number;
  /** Statements acknowledged per second while nothing was killed; 0 where that was not measured. */
  readonly rate: number;
}

const writersOfEach = 3;
/** Acknowledged requests of each writer between two kills, so that none is stuck. */
const progressOfEach = 5;

/** Lets clients write, contend and read while database servers are killed, and compares what is stored with what they were told. */
export async function proveCluster({
  cluster,
  rounds,
  seconds = 0,
  program,
  progress,
}: ClusterProofOptions): Promise<ClusterProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'lrs-proof-'));
  const servers = cluster.settings.map(
    (settings) =>
      new RestartedServer({
        program,
        folder,
        settings: { LRS_LOG_LEVEL: 'ERROR', ...clientSettings, ...settings },
      }),
  );
  try {
    for (const server of servers) await server.start();
    const addresses = servers.flatMap(({ address }) => address ?? []);
    const refusals: Refusals = { retries: 0, failures: [] };
    const clientOf = (place: number) => new ClusterClient(addresses, refusals, place);
    const acknowledged: Acknowledged[] = Array.from({ length: servers.length * writersOfEach }, () => []);
    const readers: Seen[] = servers.map(() => new Map());
    const winners: Winners = new Map();
    const enough = new AbortController();
    const writing = acknowledged.map((own, place) => write(clientOf(place), own, enough.signal));
    const contending = contend(
      servers.map((_, place) => clientOf(place)),
      winners,
      enough.signal,
    );
    let end: string | undefined;
    const reading = readers.map((seen, place) => follow(clientOf(place), seen, () => end));
    let longestOutage = 0;
    let rate = 0;
    const disturbing = (async () => {
      for (let round = 1; round <= rounds; round += 1) {
        await sleep(Math.random() * 500);
        longestOutage = Math.max(longestOutage, await outageOf(cluster, acknowledged));
        await cluster.repair();
        progress?.(`${round} of ${rounds} kills, ${countOf(acknowledged)} statements acknowledged`);
      }
      const before = countOf(acknowledged);
      await sleep(seconds * 1000);
      if (seconds > 0) rate = (countOf(acknowledged) - before) / seconds;
    })().finally(() => enough.abort());
    await Promise.all([disturbing, contending, ...writing]);
    const client = clientOf(0);
    const stored: StoredStatement[] = [];
    for await (const found of walk(client)) stored.push(found);
    end = stored.at(-1)?.stored ?? '';
    await Promise.all(reading);
    return {
      ...{
        rounds,
        acknowledged: countOf(acknowledged),
        longestOutage: Math.round(longestOutage),
        rate: Math.round(rate),
      },
      ...verdictOn(stored, acknowledged, readers),
      ...{ contradictions: await contradictions(client, winners), documents: winners.size },
      ...refusals,
      log: servers
        .map(({ errors }) => errors)
        .join('')
        .slice(-20000),
    };
  } finally {
    for (const server of servers) await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kills a server and waits until every writer has come on. @returns how long that took (ms). */
async function outageOf(cluster: ProofCluster, acknowledged: readonly Acknowledged[]): Promise<number> {
  const killed = performance.now();
  await cluster.disturb();
  const before = acknowledged.map((own) => own.length);
  const began = performance.now();
  let resumed = 0;
  while (acknowledged.some((own, place) => own.length < (before[place] ?? 0) + progressOfEach)) {
    if (resumed === 0 && acknowledged.every((own, place) => own.length > (before[place] ?? 0)))
      resumed = performance.now();
    await sleep(10);
  }
  return (resumed === 0 ? began : resumed) - killed;
}

const countOf = (acknowledged: readonly Acknowledged[]): number =>
  acknowledged.reduce((sum, own) => sum + own.reduce((count, ids) => count + ids.length, 0), 0);

function verdictOn(
  stored: readonly StoredStatement[],
  acknowledged: readonly Acknowledged[],
  readers: readonly Seen[],
) {
  const positions = new Map(stored.map(({ id }, index) => [id, index]));
  const all = acknowledged.flat(2);
  return {
    lost: all.filter((id) => !positions.has(id)),
    duplicates: stored.filter(({ id }, index) => positions.get(id) !== index).map(({ id }) => id),
    unseen: readers.flatMap((seen) => stored.filter(({ id }) => !seen.has(id)).map(({ id }) => id)),
    wronglySeen: readers.flatMap((seen) =>
      [...seen]
        .filter(([id, count]) => count > 1 || !positions.has(id))
        .map(([id, count]) => `${id} ${count} times`),
    ),
    disordered: acknowledged.flatMap((own) =>
      outOfOrder(
        own.flat().map((id) => positions.get(id) ?? 0),
        own.flat(),
      ),
    ),
  };
}

const outOfOrder = (positions: readonly number[], ids: readonly string[]): string[] =>
  ids.filter((_, index) => index > 0 && (positions[index] ?? 0) <= (positions[index - 1] ?? 0));

/** Whether everything is as it has to be. */
export function isProven(result: ClusterProofResult): boolean {
  const { lost, duplicates, unseen, wronglySeen, disordered, failures } = result;
  const lists = [lost, duplicates, unseen, wronglySeen, disordered, failures, result.contradictions];
  return result.acknowledged > 0 && lists.every((list) => list.length === 0);
}
