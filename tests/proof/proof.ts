import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../attack/random.ts';
import { clientSettings, PatientClient } from './client.ts';
import { type DatabaseName, openProofDatabase, type ProofDatabase } from './database.ts';
import { runLoad } from './load.ts';
import { provenReactions, type Told } from './reactions.ts';
import { RestartedServer } from './servers.ts';
import { type Verdict, verdictOn } from './verdict.ts';

export interface ProofOptions {
  readonly database: DatabaseName;
  readonly kills: number;
  /** How often the database is restarted, where it can be. */
  readonly restarts: number;
  readonly seed: number;
  /** Arguments of `node` that run the server. */
  readonly program: readonly string[];
  /** Told how it goes on. */
  readonly progress?: (line: string) => void;
}

export interface ProofResult extends Verdict {
  readonly kills: number;
  readonly restarts: number;
  /** Statements that servers acknowledged, and those of them that are not stored. */
  readonly acknowledged: number;
  readonly lost: readonly string[];
  /** Requests that had to be sent again. */
  readonly retries: number;
  /** Errors of reactions, of which there should be none. */
  readonly errors: readonly string[];
}

/**
 * Two servers work on one database and are killed at random while clients send statements. Then what the reactions have
 * generated is compared with what they have to generate of the statements that are stored.
 */
export async function prove(options: ProofOptions): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'lrs-proof-'));
  const database = await openProofDatabase(options.database);
  const settings = {
    ...{ LRS_ENABLE_REACTIONS: 'true', LRS_ENABLE_ADMIN_STATUS: 'true', LRS_LOG_LEVEL: 'ERROR' },
    ...{ LRS_FEED_LEASE_SECONDS: '3', ...clientSettings, ...database.settings },
  };
  const servers = [0, 1].map(() => new RestartedServer({ program: options.program, settings, folder }));
  try {
    return await proveWith(servers, database, options);
  } finally {
    for (const server of servers) await server.kill();
    await database.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function proveWith(
  servers: readonly RestartedServer[],
  database: ProofDatabase,
  options: ProofOptions,
): Promise<ProofResult> {
  for (const server of servers) await server.start();
  const client = new PatientClient(() => servers.flatMap(({ address }) => address ?? []));
  for (const { name, ruleset } of provenReactions)
    await client.admin('/admin/reaction', { title: name, ruleset, active: true });
  const acknowledged: string[] = [];
  const enough = new AbortController();
  const { signal } = enough;
  const load = runLoad({
    ...{ client, seed: options.seed, signal },
    acknowledged: (ids) => acknowledged.push(...ids),
  });
  const disturbed = disturb(servers, database, options).finally(() => enough.abort());
  const [kills] = await Promise.all([disturbed, load]);
  await everythingDone(client);
  return compare(client, { acknowledged, kills, restarts: database.restart ? options.restarts : 0 });
}

const longestLife = 1200;

/** Kills servers at random moments, both at once every tenth time, and the database now and then. @returns how many it has killed. */
async function disturb(
  servers: readonly RestartedServer[],
  { restart }: ProofDatabase,
  { kills, restarts, seed, progress }: ProofOptions,
): Promise<number> {
  const random = new Random(seed + 1000);
  const every = Math.ceil(kills / (restarts + 1));
  let killed = 0;
  while (killed < kills) {
    await sleep(random.int(longestLife));
    const victims = random.chance(0.1) ? servers : [random.pick(servers)];
    await Promise.all(victims.map((server) => server.kill()));
    const isTime = Math.floor((killed + victims.length) / every) > Math.floor(killed / every);
    killed += victims.length;
    if (isTime && killed < kills) await restart?.();
    await Promise.all(victims.map((server) => server.start()));
    if (killed % 10 < victims.length) progress?.(`${killed} of ${kills} kills`);
  }
  return killed;
}

/** Resolves when no consumer has anything left to do. */
async function everythingDone(client: PatientClient): Promise<void> {
  for (let calm = 0; calm < 3; ) {
    const { consumers } = await client.admin('/admin/status?include=consumers');
    const left = consumers.reduce(
      (sum: number, { lag }: { readonly lag: { readonly statements: number } }) => sum + lag.statements,
      0,
    );
    calm = left === 0 ? calm + 1 : 0;
    await sleep(300);
  }
}

interface Sent {
  readonly acknowledged: readonly string[];
  readonly kills: number;
  readonly restarts: number;
}

async function compare(client: PatientClient, { acknowledged, kills, restarts }: Sent): Promise<ProofResult> {
  const learners = new Map<string, Told[]>();
  const stored = new Set<string>();
  for await (const { actor, ...told } of client.statements()) {
    stored.add(told.id);
    const learner = learners.get(actor.mbox);
    if (learner === undefined) learners.set(actor.mbox, [told]);
    else learner.push(told);
  }
  const { reactions } = await client.admin('/admin/reaction');
  const errors = reactions
    .filter(({ active, error }: { active: boolean; error: object | null }) => !active || error !== null)
    .map((reaction: object) => JSON.stringify(reaction));
  return {
    ...verdictOn(learners.values()),
    ...{ kills, restarts, errors },
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((id) => !stored.has(id)),
    retries: client.retries,
  };
}

/** Whether everything is as it has to be. */
export function isProven({ missing, surplus, duplicates, lost, errors }: ProofResult): boolean {
  return [missing, surplus, duplicates, lost, errors].every((list) => list.length === 0);
}
