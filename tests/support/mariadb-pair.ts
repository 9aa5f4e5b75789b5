import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mariadb from 'mariadb';
import { freePort } from './free-port.ts';
import { type Owner, ownerOf } from './installed-programs.ts';
import { installMariadb, mariadbFiles, mariadbPrograms } from './mariadb-programs.ts';
import { mariadbAnswers } from './private-server.ts';
import { conditionLimit } from './time-limits.ts';

/** A primary of MariaDB and a replica that is read-only, with semi-synchronous replication. */
export interface MariadbPair {
  readonly primaryPort: number;
  readonly replicaPort: number;
  /** Runs SQL as the administrator of the server at the port. */
  query(port: number, sql: string): Promise<{ readonly [column: string]: unknown }[]>;
  /** Resolves when the replica has applied what the primary has written. */
  caughtUp(): Promise<void>;
  /** Ends the primary as `kill -9` does, and starts it again. */
  restartPrimary(): Promise<void>;
  /** Ends the primary as `kill -9` does, and lets the replica take writes when it has applied what it has received. */
  failOver(): Promise<void>;
  /** Ends both servers and removes their folders. */
  remove(): Promise<void>;
}

/** @returns undefined when the programs of MariaDB are not installed. */
export async function startMariadbPair(): Promise<MariadbPair | undefined> {
  const programs = mariadbPrograms();
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'lrs-pair-'));
  const owner = ownerOf(folder, 'mysql');
  const children: ChildProcess[] = [];
  const starts: (() => Promise<ChildProcess>)[] = [];
  const start = async (name: string, settings: readonly string[]): Promise<number> => {
    const port = await freePort();
    const own = join(folder, name);
    mkdirSync(own);
    ownerOf(own, 'mysql');
    await installMariadb(programs.installer, own, owner);
    const listening = [`--port=${port}`, '--bind-address=127.0.0.1'];
    const options = ['--no-defaults', ...mariadbFiles(own), ...listening, ...settings];
    const again = () => started(programs.server, options, { owner, port });
    starts.push(again);
    children.push(await again());
    return port;
  };
  const semiSynchronous = [
    '--rpl-semi-sync-master-enabled=ON',
    '--rpl-semi-sync-master-wait-point=AFTER_SYNC',
    '--rpl-semi-sync-master-timeout=3600000',
  ];
  const primaryPort = await start('primary', ['--server-id=1', '--log-bin', ...semiSynchronous]);
  const replicaPort = await start('replica', [
    '--server-id=2',
    '--read-only',
    '--rpl-semi-sync-slave-enabled=ON',
  ]);
  await query(
    replicaPort,
    `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primaryPort}, MASTER_USER = 'root', MASTER_CONNECT_RETRY = 1, MASTER_USE_GTID = slave_pos`,
  );
  await query(replicaPort, 'START SLAVE');
  return {
    primaryPort,
    replicaPort,
    query,
    async caughtUp() {
      const [position] = await query(primaryPort, 'SELECT @@gtid_binlog_pos AS position');
      await until(async () => {
        const [applied] = await query(replicaPort, 'SELECT @@gtid_slave_pos AS position');
        return applied?.position === position?.position;
      });
    },
    async restartPrimary() {
      const [primary] = children;
      const [again] = starts;
      if (primary === undefined || again === undefined) return;
      await end(primary);
      children[0] = await again();
    },
    async failOver() {
      const [primary] = children;
      if (primary !== undefined) await end(primary);
      await until(async () => {
        const [state] = await query(replicaPort, 'SHOW SLAVE STATUS');
        return state?.Slave_SQL_Running_State === waitingForMore;
      });
      await query(replicaPort, 'STOP SLAVE');
      await query(replicaPort, 'SET GLOBAL read_only = OFF');
    },
    async remove() {
      await Promise.all(children.map(end));
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

const waitingForMore = 'Slave has read all relay log; waiting for more updates';

async function started(
  program: string,
  options: readonly string[],
  { owner, port }: { readonly owner: Owner; readonly port: number },
): Promise<ChildProcess> {
  const child = spawn(program, options, { ...owner, stdio: 'ignore' });
  const url = `mariadb://root@127.0.0.1:${port}/`;
  await until(async () => child.exitCode !== null || (await mariadbAnswers(url)));
  if (child.exitCode !== null) throw new Error('A server of MariaDB does not start.');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function query(port: number, sql: string): Promise<{ readonly [column: string]: unknown }[]> {
  const connection = await mariadb.createConnection({ host: '127.0.0.1', port, user: 'root' });
  try {
    const result = await connection.query(sql);
    return Array.isArray(result) ? result : [];
  } finally {
    await connection.end();
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + conditionLimit; !(await condition().catch(() => false)); ) {
    if (Date.now() > deadline) throw new Error('The servers of MariaDB do not find each other.');
    await sleep(50);
  }
}
