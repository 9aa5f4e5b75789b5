import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { type Owner, ownerOf } from './installed-programs.ts';
import { postgresAnswers, postgresFolder } from './private-server.ts';
import { conditionLimit } from './time-limits.ts';

const run = promisify(execFile);

/** A server of a cluster. */
export interface ClusterNode {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** The process from which all others of this server descend. */
  readonly pid: number | undefined;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Keeps a copy of its files, while it is ended for a moment. @returns puts the copy in its place, in the same way. */
  keepFiles(): Promise<() => Promise<void>>;
  query(sql: string): Promise<{ readonly [name: string]: string | number }[]>;
  /** Lets a standby replay commits that much (ms) later. */
  delay(milliseconds: number): Promise<void>;
}

/** A primary of Postgres and two standbys, one of which may have to have a transaction before it counts as committed. */
export interface PostgresCluster {
  /** `127.0.0.1:PORT` of each, separated by commas. */
  readonly hosts: string;
  /** Its servers; the first one is the primary at the start. */
  readonly nodes: readonly ClusterNode[];
  /** A user that may create databases, at the present primary. */
  url(): string;
  /** Ends the primary as `kill -9` does, and resolves when a standby has become the primary. */
  failOver(): Promise<void>;
  /** Adds the ended primary again, as a standby with a new copy. */
  repair(): Promise<void>;
  /** Ends the standbys, after which no transaction commits. */
  endStandbys(): Promise<void>;
  /** Starts them again. */
  startStandbys(): Promise<void>;
  /** Ends all servers and removes their folders. */
  remove(): Promise<void>;
}

interface Node {
  readonly name: string;
  readonly port: number;
  readonly data: string;
  child: ChildProcess | undefined;
}

const names = ['one', 'two', 'three'];
const urlOf = ({ port }: Node): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

/**
 * @param synchronous whether a commit waits for a standby.
 * @returns undefined when the programs of Postgres are not installed.
 */
export async function startPostgresCluster({
  synchronous = true,
} = {}): Promise<PostgresCluster | undefined> {
  const programs = postgresFolder();
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'lrs-cluster-'));
  const servers = new Servers(programs, folder, ownerOf(folder, 'postgres'));
  const nodes: Node[] = [];
  for (const name of names) {
    nodes.push({ name, port: await freePort(), data: join(folder, name), child: undefined });
  }
  let [primary] = nodes as [Node, Node, Node];
  let ended: Node | undefined;
  const standbys = (): Node[] => nodes.filter((node) => node !== primary && node !== ended);
  await servers.initialise(primary, synchronous);
  await servers.start(primary);
  for (const standby of standbys()) await servers.copy(primary, standby);
  await replicating(primary, 2);
  return {
    hosts: nodes.map(hostOf).join(','),
    nodes: nodes.map((node) => controlOf(servers, node)),
    url: () => urlOf(primary),
    async failOver() {
      await servers.kill(primary);
      ended = primary;
      primary = await promote(standbys());
    },
    async repair() {
      if (ended === undefined) return;
      const node = ended;
      rmSync(node.data, { recursive: true, maxRetries: 20, retryDelay: 100 });
      await servers.copy(primary, node);
      ended = undefined;
      await replicating(primary, 2);
    },
    async endStandbys() {
      await Promise.all(standbys().map((node) => servers.kill(node)));
    },
    async startStandbys() {
      await Promise.all(standbys().map((node) => servers.start(node)));
    },
    async remove() {
      await Promise.all(nodes.map((node) => servers.kill(node)));
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

const hostOf = ({ port }: Node): string => `127.0.0.1:${port}`;

function controlOf(servers: Servers, node: Node): ClusterNode {
  return {
    host: hostOf(node),
    get pid() {
      return node.child?.pid;
    },
    kill: () => servers.kill(node),
    start: () => servers.start(node),
    keepFiles: () => servers.keepFiles(node),
    query: (sql) => query(node, sql),
    async delay(milliseconds) {
      await query(node, `ALTER SYSTEM SET recovery_min_apply_delay = '${milliseconds}ms'`);
      await query(node, 'SELECT pg_reload_conf()');
    },
  };
}

/** Promotes the standby that has received most, which has all that was acknowledged, and lets the others follow it. */
async function promote(standbys: readonly Node[]): Promise<Node> {
  const received = await Promise.all(
    standbys.map(async (node) => {
      // One that was started again while there is no primary has received nothing since, and replays what it has.
      const sql =
        "SELECT (GREATEST(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0')::bigint AS bytes";
      return { node, bytes: BigInt((await query(node, sql))[0]?.bytes ?? 0) };
    }),
  );
  const most = received.reduce((best, each) => (each.bytes > best.bytes ? each : best));
  const { node: primary } = most;
  await query(primary, 'SELECT pg_promote(true, 60)');
  for (const standby of standbys) {
    if (standby === primary) continue;
    await query(standby, `ALTER SYSTEM SET primary_conninfo = '${connectionTo(primary, standby)}'`);
    await query(standby, 'SELECT pg_reload_conf()');
  }
  return primary;
}

const connectionTo = ({ port }: Node, { name }: Node): string =>
  `host=127.0.0.1 port=${port} user=postgres application_name=${name}`;

async function replicating(primary: Node, standbys: number): Promise<void> {
  const sql = "SELECT COUNT(*)::int AS count FROM pg_stat_replication WHERE state = 'streaming'";
  await until(async () => (await query(primary, sql))[0]?.count === standbys);
}

async function query(node: Node, sql: string): Promise<{ readonly [name: string]: string | number }[]> {
  const client = new pg.Client({ connectionString: urlOf(node) });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + conditionLimit; !(await condition().catch(() => false)); ) {
    if (Date.now() > deadline) throw new Error('The servers of the cluster do not find each other.');
    await sleep(50);
  }
}

class Servers {
  readonly #programs: string;
  readonly #folder: string;
  readonly #owner: Owner;

  constructor(programs: string, folder: string, owner: Owner) {
    this.#programs = programs;
    this.#folder = folder;
    this.#owner = owner;
  }

  async initialise({ data }: Node, synchronous: boolean): Promise<void> {
    await this.#run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
    // Copies have these settings too, so they hold after a promotion.
    const settings = {
      wal_keep_size: "'256MB'",
      ...(synchronous && { synchronous_standby_names: `'ANY 1 (${names.join(', ')})'` }),
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    writeFileSync(join(data, 'postgresql.conf'), `\n${lines.join('\n')}\n`, { flag: 'a' });
  }

  /** Makes a copy of the primary, which follows it from then on. */
  async copy(primary: Node, standby: Node): Promise<void> {
    const options = ['-D', standby.data, '-d', connectionTo(primary, standby), '-R', '-X', 'stream'];
    await this.#run('pg_basebackup', [...options, '--checkpoint=fast', '--no-sync']);
    await this.start(standby);
  }

  async start(node: Node): Promise<void> {
    const options = ['-D', node.data, '-p', String(node.port), '-k', this.#folder, '-h', '127.0.0.1'];
    const child = spawn(join(this.#programs, 'postgres'), options, { ...this.#owner, stdio: 'ignore' });
    node.child = child;
    await until(async () => {
      if (child.exitCode !== null) throw new Error('A server of the cluster does not start.');
      return postgresAnswers(urlOf(node));
    });
  }

  async keepFiles(node: Node): Promise<() => Promise<void>> {
    const kept = `${node.data}-kept`;
    const whileEnded = async (work: () => void) => {
      await this.kill(node);
      work();
      if (this.#owner.uid !== undefined) await run('chown', ['-R', `${this.#owner.uid}`, node.data]);
      rmSync(join(node.data, 'postmaster.pid'), { force: true });
      await this.start(node);
    };
    await whileEnded(() => cpSync(node.data, kept, { recursive: true, preserveTimestamps: true }));
    return () =>
      whileEnded(() => {
        rmSync(node.data, { recursive: true, maxRetries: 20, retryDelay: 100 });
        renameSync(kept, node.data);
      });
  }

  async kill({ child }: Node): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  async #run(program: string, options: readonly string[]): Promise<void> {
    await run(join(this.#programs, program), options, { ...this.#owner });
  }
}
