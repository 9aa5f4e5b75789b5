import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import mariadb from 'mariadb';
import { freePort } from './free-port.ts';
import { type Owner, ownerOf, searchPath } from './installed-programs.ts';
import { installMariadb, mariadbFiles, mariadbPrograms } from './mariadb-programs.ts';
import { conditionLimit } from './time-limits.ts';

const run = promisify(execFile);

/** Nodes of a MariaDB Galera Cluster on this machine. */
export interface GaleraCluster {
  /** The port of each node, whose user `root` has no password. */
  readonly ports: readonly number[];
  /** Ends a node as `kill -9` does, and resolves when the others go on without it. */
  kill(node: number): Promise<void>;
  /** Starts it again, and resolves when it takes part. */
  start(node: number): Promise<void>;
  /** Ends all but the first node as `kill -9` does, and resolves when that has no majority any more. */
  leaveFirstAlone(): Promise<void>;
  /** Makes the first node a cluster of its own, as an operator does who has lost the others. */
  bootstrapFirst(): Promise<void>;
  /** Ends all nodes and removes their folders. */
  remove(): Promise<void>;
}

interface Node {
  readonly name: string;
  readonly port: number;
  /** Of the group communication, of incremental and of complete copies. */
  readonly groupPort: number;
  readonly incrementPort: number;
  readonly copyPort: number;
  readonly folder: string;
  child: ChildProcess | undefined;
}

const names = ['one', 'two', 'three'];
/** Where Debian and others keep the library. */
const libraries = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];

/** @returns undefined when MariaDB, Galera or rsync is not installed. */
export async function startGaleraCluster(count = 3): Promise<GaleraCluster | undefined> {
  const library = libraries.find((file) => existsSync(file));
  const find = (program: string) => searchPath().find((folder) => existsSync(join(folder, program)));
  const programs = mariadbPrograms();
  if (library === undefined || programs === undefined || !find('rsync')) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'lrs-galera-'));
  const owner = ownerOf(folder, 'mysql');
  const nodes: Node[] = [];
  for (const name of names.slice(0, count)) {
    const ports = [await freePort(), await freePort(), await freePort(), await freePort()] as const;
    const [port, groupPort, incrementPort, copyPort] = ports;
    nodes.push({
      name,
      port,
      groupPort,
      incrementPort,
      copyPort,
      folder: join(folder, name),
      child: undefined,
    });
  }
  const nodeAt = (index: number): Node => {
    const node = nodes[index];
    if (node === undefined) throw new Error('There is no such node.');
    return node;
  };
  const program = programs.server;
  for (const node of nodes) execFileSync('mkdir', ['-p', join(node.folder, 'data')], { ...owner });
  // The others get a copy.
  await installMariadb(programs.installer, nodeAt(0).folder, owner);
  const addresses = nodes.map(({ groupPort }) => `127.0.0.1:${groupPort}`).join(',');
  const launch = async (node: Node, extra: readonly string[]): Promise<void> => {
    const child = spawn(program, [...optionsOf(node, library, addresses), ...extra], {
      ...owner,
      stdio: 'ignore',
    });
    node.child = child;
    await until(
      async () => !isRunning(node) || (await status(node, 'wsrep_local_state_comment')) === 'Synced',
    );
    if (!isRunning(node)) throw new Error('A node of the cluster does not start.');
  };
  await launch(nodeAt(0), ['--wsrep-new-cluster']);
  for (const node of nodes.slice(1)) await launch(node, []);
  const size = async (members: number): Promise<void> => {
    for (const node of nodes.filter(isRunning)) {
      await until(async () => {
        const parts = [await status(node, 'wsrep_cluster_size'), await status(node, 'wsrep_ready')];
        return parts.join() === `${members},ON`;
      });
    }
  };
  return {
    ports: nodes.map(({ port }) => port),
    async kill(index) {
      await end(nodeAt(index));
      await size(nodes.filter(isRunning).length);
    },
    async start(index) {
      const node = nodeAt(index);
      await launch(node, [`--wsrep-start-position=${await lastPosition(program, node, owner)}`]);
      await size(nodes.filter(isRunning).length);
    },
    async leaveFirstAlone() {
      await Promise.all(nodes.slice(1).map(end));
      await until(async () => (await status(nodeAt(0), 'wsrep_ready')) === 'OFF');
    },
    async bootstrapFirst() {
      await query(nodeAt(0), "SET GLOBAL wsrep_provider_options = 'pc.bootstrap=YES'");
      await size(1);
    },
    async remove() {
      await Promise.all(nodes.map(end));
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

function optionsOf(node: Node, library: string, members: string): string[] {
  const { name, port, groupPort, incrementPort, copyPort } = node;
  const provider = {
    base_host: '127.0.0.1',
    base_port: groupPort,
    'gmcast.listen_addr': `tcp://127.0.0.1:${groupPort}`,
    'ist.recv_addr': `127.0.0.1:${incrementPort}`,
    'gcache.size': '128M',
    // A node that was killed is given up after two seconds instead of five.
    'evs.keepalive_period': 'PT0.5S',
    'evs.suspect_timeout': 'PT2S',
    'evs.inactive_timeout': 'PT6S',
  };
  const settings = {
    port,
    'bind-address': '127.0.0.1',
    'binlog-format': 'ROW',
    'innodb-autoinc-lock-mode': 2,
    'wsrep-on': 'ON',
    'wsrep-provider': library,
    'wsrep-provider-options': Object.entries(provider)
      .map(([key, value]) => `${key}=${value}`)
      .join(';'),
    'wsrep-cluster-name': 'lrs',
    'wsrep-cluster-address': `gcomm://${members}`,
    'wsrep-node-name': name,
    'wsrep-node-address': `127.0.0.1:${groupPort}`,
    'wsrep-node-incoming-address': `127.0.0.1:${port}`,
    'wsrep-sst-method': 'rsync',
    'wsrep-sst-receive-address': `127.0.0.1:${copyPort}`,
  };
  return [
    '--no-defaults',
    ...mariadbFiles(node.folder),
    ...Object.entries(settings).map(([key, value]) => `--${key}=${value}`),
  ];
}

/** Where a node that was killed has to go on, so that it need not be copied as a whole. */
async function lastPosition(program: string, node: Node, owner: Owner): Promise<string> {
  const options = [
    '--no-defaults',
    ...mariadbFiles(node.folder),
    `--port=${node.port}`,
    '--bind-address=127.0.0.1',
  ];
  const { stderr } = await run(program, [...options, '--wsrep-recover'], { ...owner });
  return /Recovered position: (\S+)/.exec(stderr)?.[1] ?? '00000000-0000-0000-0000-000000000000:-1';
}

const isRunning = ({ child }: Node): boolean =>
  child !== undefined && child.exitCode === null && child.signalCode === null;

async function end(node: Node): Promise<void> {
  const { child } = node;
  if (child === undefined || !isRunning(node)) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function status(node: Node, name: string): Promise<string | undefined> {
  const rows = await query(node, `SHOW STATUS LIKE '${name}'`);
  return rows[0]?.Value;
}

async function query({ port }: Node, sql: string): Promise<{ readonly Value?: string }[]> {
  const connection = await mariadb.createConnection({
    host: '127.0.0.1',
    port,
    user: 'root',
    connectTimeout: 5000,
  });
  try {
    return await connection.query(sql);
  } finally {
    await connection.end();
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + conditionLimit; !(await condition().catch(() => false)); ) {
    if (Date.now() > deadline) throw new Error('The nodes of the cluster do not find each other.');
    await sleep(50);
  }
}
