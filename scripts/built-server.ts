import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface BuiltServer {
  /** Where it listens, e.g. `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  readonly pid: number;
  /** Resolves when the process has ended and its files are gone. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** The folder whose build is started; without it, this one's. */
  readonly checkout?: string | undefined;
  /** The file descriptor that its log is written to; without it, the standard error of this process. */
  readonly log?: number | 'inherit';
}

const pair = { key: 'key', secret: 'secret' };

/**
 * Starts the server that `npm run build` has made, on a free port of this machine, with a key pair of its own.
 * @param settings environment that names the database; without it, a fresh SQLite file is used.
 * @throws Error when it ends before it listens; its reason is on the standard error.
 */
export async function startBuiltServer(
  settings: Readonly<Record<string, string>>,
  { checkout = join(import.meta.dirname, '..'), log = 'inherit' }: StartOptions = {},
): Promise<BuiltServer> {
  const folder = mkdtempSync(join(tmpdir(), 'serverless-lrs-'));
  const child = spawn(process.execPath, [join(checkout, 'dist/serve.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', log],
    env: {
      ...process.env,
      LRS_DB_NAME: join(folder, 'lrs.sqlite'),
      LRS_HTTP_HOST: '127.0.0.1',
      LRS_HTTP_PORT: '0',
      LRS_SSL_PORT: '0',
      LRS_LOG_LEVEL: 'WARN',
      LRS_ADMIN_USER_DEFAULT: 'opsadmin',
      LRS_ADMIN_PASS_DEFAULT: 'Tr1cky_pass!',
      LRS_API_KEY_DEFAULT: pair.key,
      LRS_API_SECRET_DEFAULT: pair.secret,
      ...settings,
    },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = child.stdout === null ? undefined : await addressOf(child.stdout);
  if (url === undefined || child.pid === undefined) {
    await stop();
    throw new Error('The server ended before it listened; its reason is above.');
  }
  return { url, ...pair, pid: child.pid, stop };
}

/** The address in the first line that the server prints; undefined when it ends without one. */
async function addressOf(stdout: Readable): Promise<string | undefined> {
  const lines = createInterface({ input: stdout });
  for await (const line of lines) {
    // Nobody reads on, and a full pipe would stop the server.
    stdout.resume();
    return /http:\/\/\S+/.exec(line)?.[0];
  }
  return undefined;
}
