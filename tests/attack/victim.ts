import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What the probe inside the server reports: the longest stall since the last question. */
export interface Stall {
  /** How long the event loop was busy (ms): processor time, so that other programs on this machine do not count. */
  readonly stall: number;
  /** How long it stood still by the clock (ms), without the time that the thread was ready but had no processor. */
  readonly elapsed: number;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
}

export interface VictimOptions {
  /** Arguments of `node`: the server's program, and before it what loads TypeScript if it needs that. */
  readonly program: readonly string[];
  /** Its environment besides ports and the first account. */
  readonly settings: Readonly<Record<string, string>>;
  /** Most descriptors that the operating system grants. */
  readonly descriptors?: number;
}

export const account = { username: 'opsadmin', password: 'Tr1cky_pass!' };
export const pair = { key: 'key', secret: 'secret' };

/** A server under attack, in a process of its own that is watched from inside and outside. */
export class Victim {
  readonly http: string;
  readonly https: string;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #watch: NodeJS.Timeout;
  #peakDescriptors = 0;
  #peakMemory = 0;
  #errors = '';

  private constructor(child: ChildProcess, folder: string, addresses: readonly string[]) {
    const [http, https] = addresses;
    if (http === undefined || https === undefined) throw new Error('The server names no two addresses.');
    this.http = http;
    this.https = https;
    this.#child = child;
    this.#folder = folder;
    this.#watch = setInterval(() => this.#sample(), 50);
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-4_000);
    });
  }

  /** @throws Error when the server ends before it listens. */
  static async start({ program, settings, descriptors }: VictimOptions): Promise<Victim> {
    const folder = mkdtempSync(join(tmpdir(), 'lrs-attacked-'));
    const node = [process.execPath, '--import', join(import.meta.dirname, 'probe.mjs'), ...program];
    const [command = '', ...rest] =
      descriptors === undefined
        ? node
        : ['/bin/sh', '-c', `ulimit -n ${descriptors} && exec "$0" "$@"`, ...node];
    const child = spawn(command, rest, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH: process.env.PATH, ...standard(folder), ...settings },
    });
    const addresses = await addressesOf(child);
    if (addresses === undefined) {
      const reason = child.stderr?.read();
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`The server ended before it listened: ${reason}`);
    }
    return new Victim(child, folder, addresses);
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The last lines that it printed as errors. */
  get errors(): string {
    return this.#errors;
  }

  get descriptors(): number {
    return this.isAlive ? readdirSync(`/proc/${this.#child.pid}/fd`).length : 0;
  }

  /** The most descriptors that were open at a time, and the most resident memory (MiB), since `forgetPeaks`. */
  get peaks(): { readonly descriptors: number; readonly memory: number } {
    this.#sample();
    return { descriptors: this.#peakDescriptors, memory: this.#peakMemory };
  }

  /** Begins to look for peaks afresh. */
  forgetPeaks(): void {
    this.#peakDescriptors = 0;
    this.#peakMemory = 0;
    // Sets the peak that the kernel remembers to the present value (proc(5), clear_refs).
    writeFileSync(`/proc/${this.#child.pid}/clear_refs`, '5');
  }

  /** The longest stall since the last call. @throws Error when the server is not alive. */
  async worstStall(): Promise<Stall> {
    const answer = once(this.#child, 'message', { signal: AbortSignal.timeout(120_000) });
    this.#child.send('worst-stall');
    const [message]: { worstStall: Stall }[] = await answer;
    if (message === undefined) throw new Error('The probe gave no answer.');
    return message.worstStall;
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    if (this.isAlive) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      const hard = setTimeout(() => this.#child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(hard);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #sample(): void {
    try {
      this.#peakDescriptors = Math.max(this.#peakDescriptors, this.descriptors);
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
      const memory = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
      this.#peakMemory = Math.max(this.#peakMemory, memory);
    } catch {
      // The process has ended; the last sample counts.
    }
  }
}

function standard(folder: string): Record<string, string> {
  return {
    LRS_DB_NAME: join(folder, 'lrs.sqlite'),
    LRS_HTTP_HOST: '127.0.0.1',
    LRS_HTTP_PORT: '0',
    LRS_SSL_PORT: '0',
    LRS_LOG_LEVEL: 'WARN',
    LRS_ADMIN_USER_DEFAULT: account.username,
    LRS_ADMIN_PASS_DEFAULT: account.password,
    LRS_API_KEY_DEFAULT: pair.key,
    LRS_API_SECRET_DEFAULT: pair.secret,
  };
}

/** Those in the line that the server prints once it listens; undefined when it ends without one. */
async function addressesOf({ stdout }: ChildProcess): Promise<string[] | undefined> {
  if (stdout === null) return undefined;
  for await (const line of createInterface({ input: stdout })) {
    const found = line.match(/https?:\/\/[\d.:]+/g);
    if (found === null) continue;
    // Nobody reads on, and a full pipe would stop the server.
    stdout.resume();
    return [...found];
  }
  return undefined;
}
