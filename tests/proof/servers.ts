import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ServerOptions {
  /** Arguments of `node`. */
  readonly program: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** A server process that is killed and started again. */
export class RestartedServer {
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;
  #address: string | undefined;
  #errors = '';

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Where it listens; undefined while it does not. */
  get address(): string | undefined {
    return this.#address;
  }

  /** The last lines that it printed as errors. */
  get errors(): string {
    return this.#errors;
  }

  /** Resolves when it listens; one that ends before is started again, because its database may be away. */
  async start(): Promise<void> {
    while (this.#address === undefined) {
      const { program, settings, folder } = this.#options;
      const child = spawn(process.execPath, [...program], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH, ...ports, ...settings },
      });
      this.#child = child;
      child.stderr.on('data', (chunk: Buffer) => {
        this.#errors = (this.#errors + chunk.toString()).slice(-4000);
      });
      this.#address = await addressOf(child);
    }
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#address = undefined;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
}

const ports = { LRS_HTTP_HOST: '127.0.0.1', LRS_HTTP_PORT: '0', LRS_SSL_PORT: '0' };

/** The address in the first line that the server prints; undefined when it ends without one. */
async function addressOf({ stdout }: ChildProcess): Promise<string | undefined> {
  if (stdout === null) return undefined;
  for await (const line of createInterface({ input: stdout })) {
    const found = /http:\/\/[\d.:]+/.exec(line)?.[0];
    if (found === undefined) continue;
    // Nobody reads on, and a full pipe would stop the server.
    stdout.resume();
    return found;
  }
  return undefined;
}
