import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { freePort } from './free-port.ts';
import { listens } from './listens.ts';
import { conditionLimit } from './time-limits.ts';

/** A PgBouncer in transaction mode, as its package configures it but for the sizes. */
export interface Pooler {
  readonly port: number;
  stop(): Promise<void>;
}

interface PoolerSizes {
  /** Connections to the server per database. */
  readonly servers: number;
  /** Connections of clients. */
  readonly clients?: number;
}

const program = '/usr/sbin/pgbouncer';

/** Whether PgBouncer is installed. */
export const hasPooler = existsSync(program);
if (!hasPooler && process.env.LRS_TEST_FORBID_SKIP)
  throw new Error(`${program} is missing: install pgbouncer.`);

/** @param options the server behind it, whose user may log in without a password. */
export async function startPooler(
  {
    dbHost,
    dbPort = 5432,
    dbUser,
    dbPassword = '',
  }: Pick<ServerOptions, 'dbHost' | 'dbPort' | 'dbUser' | 'dbPassword'>,
  { servers, clients = 400 }: PoolerSizes,
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${dbUser}" "${dbPassword}"\n`);
  const config = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${dbHost} port=${dbPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `admin_users = ${dbUser}`,
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${servers}`,
    `max_client_conn = ${clients}`,
    'query_wait_timeout = 20',
  ];
  writeFileSync(config, lines.join('\n'));
  // It refuses to run as root.
  const isRoot = userInfo().uid === 0;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']).toString());
  const identity = isRoot ? { uid: id('-u'), gid: id('-g') } : {};
  const child = spawn(program, ['-q', config], { ...identity, stdio: 'ignore' });
  const ended = once(child, 'exit');
  for (const deadline = Date.now() + conditionLimit; !(await listens(port)); await sleep(20)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('PgBouncer does not start.');
  }
  return {
    port,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
