import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from './load.ts';

export interface BenchServer extends Target {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the built server on a fresh SQLite file and resolves when it answers. */
export async function startServer(): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lrs-bench-'));
  const [port, sslPort] = [await freePort(), await freePort()];
  const secret = { key: 'bench-key', secret: 'bench-secret' };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../dist/serve.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      LRS_DB_NAME: join(folder, 'bench.sqlite'),
      LRS_HTTP_HOST: '127.0.0.1',
      LRS_HTTP_PORT: String(port),
      LRS_SSL_PORT: String(sslPort),
      LRS_LOG_LEVEL: 'WARN',
      LRS_ADMIN_USER_DEFAULT: 'benchadmin',
      LRS_ADMIN_PASS_DEFAULT: 'Bench_passw0rd!',
      LRS_API_KEY_DEFAULT: secret.key,
      LRS_API_SECRET_DEFAULT: secret.secret,
    },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/health`, ended);
  if (child.pid === undefined) throw new Error('The server could not be started.');
  return {
    url,
    ...secret,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answering(url: string, ended: Promise<void>): Promise<void> {
  let over = false;
  ended.then(() => {
    over = true;
  });
  for (let tries = 0; tries < 200; tries += 1) {
    if (over) throw new Error('The server ended before it answered; its reason is above.');
    const ok = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} did not answer within ten seconds.`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

export interface Usage {
  /** CPU time the process has used, user and system, in seconds. */
  readonly cpuSeconds: number;
  /** Largest resident size so far, in MiB. */
  readonly peakMemory: number;
}

/** CPU and memory of a process on Linux; undefined where /proc does not tell. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticksPerSecond = 100;
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      peakMemory: Number(peak) / 1024,
    };
  } catch {
    return undefined;
  }
}
