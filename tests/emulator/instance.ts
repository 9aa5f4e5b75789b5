import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type ProcessUsage, usageOf } from './process-usage.ts';
import { makeQuota, type Quota } from './quota.ts';
import { openRuntimeApi, type RuntimeApi } from './runtime-api.ts';

export interface InstanceOptions {
  /** The function, e.g. `statements`. */
  readonly name: string;
  /** The folder of the unzipped package. */
  readonly directory: string;
  /** What Lambda calls, e.g. `dist/lambda.handler`; that of the function's own bundle when undefined. */
  readonly handler?: string;
  /** Without what Lambda itself sets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Megabytes. */
  readonly memory: number;
  /** Seconds an invocation may take. */
  readonly timeout: number;
  /** Whether the process is stopped whenever it has nothing to do. */
  readonly freezes: boolean;
  /** What is limited where the machine can do so. */
  readonly quota: 'memory and processor' | 'memory' | 'none';
  /** The program that runs it. */
  readonly node: string;
  /** Told of what the instance prints. */
  readonly onOutput: (text: string) => void;
}

export interface Invocation {
  /** Of a streaming function it is still arriving. */
  readonly body: IncomingMessage;
}

/** What a caller of Lambda learns of an invocation that has failed. */
export class FunctionError extends Error {
  /** `Unhandled` for what a handler threw, else what became of the instance; `killed` when the emulator was asked to. */
  readonly kind: 'Unhandled' | 'Init' | 'Timeout' | 'ExitError' | 'killed';

  constructor(kind: FunctionError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** How the start of an instance went. */
export interface InitReport {
  /** Milliseconds from the start of the process until it waits for an invocation. */
  readonly milliseconds: number;
  readonly usage: ProcessUsage;
}

interface Deferred<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

let count = 0;

/** One instance of a function: a process that serves one invocation at a time. */
export class Instance {
  readonly init: InitReport;
  /** Milliseconds of each invocation, from handing it over until its answer had begun. */
  readonly durations: number[] = [];
  readonly #sandbox: Sandbox;
  readonly #options: InstanceOptions;

  private constructor(sandbox: Sandbox, options: InstanceOptions, init: InitReport) {
    this.#sandbox = sandbox;
    this.#options = options;
    this.init = init;
  }

  /** @throws FunctionError when it ends before it waits for an invocation. */
  static async start(options: InstanceOptions): Promise<Instance> {
    const began = performance.now();
    const sandbox = await Sandbox.start(options);
    try {
      await sandbox.idle();
    } catch (error) {
      sandbox.kill();
      throw error;
    }
    const milliseconds = performance.now() - began;
    const usage = usageOf(sandbox.pid);
    sandbox.limitProcessor();
    if (options.freezes) sandbox.freeze();
    return new Instance(sandbox, options, { milliseconds, usage });
  }

  get pid(): number {
    return this.#sandbox.pid;
  }

  get ended(): boolean {
    return this.#sandbox.ended;
  }

  /** Whether it has an invocation now. */
  get isBusy(): boolean {
    return !this.ended && !this.#sandbox.waits;
  }

  /** What its process has used so far. */
  get usage(): ProcessUsage {
    return usageOf(this.pid);
  }

  /** @throws FunctionError */
  async invoke(event: unknown): Promise<Invocation> {
    const { timeout, name, freezes } = this.#options;
    if (freezes) this.#sandbox.thaw();
    const began = performance.now();
    const timer = setTimeout(() => {
      this.#sandbox.kill(new FunctionError('Timeout', `Task timed out after ${timeout} seconds`));
    }, timeout * 1000);
    try {
      const body = await this.#sandbox.deliver({
        id: randomUUID(),
        payload: JSON.stringify(event),
        deadline: Date.now() + timeout * 1000,
        functionArn: `arn:aws:lambda:eu-central-1:123456789012:function:lrs-${name}`,
      });
      return { body };
    } finally {
      clearTimeout(timer);
      this.durations.push(performance.now() - began);
    }
  }

  /** Resolves when it waits for the next invocation; frozen then, if it freezes. @throws FunctionError when it has ended. */
  async idle(): Promise<void> {
    await this.#sandbox.idle();
    if (this.#options.freezes) this.#sandbox.freeze();
  }

  /** Runs it with a whole processor, or with the share that it has for its memory. */
  limitProcessor(isLimited: boolean): void {
    if (isLimited) this.#sandbox.limitProcessor();
    else this.#sandbox.freeProcessor();
  }

  /** Ends the process at once. */
  kill(): Promise<void> {
    return this.#sandbox.kill();
  }
}

/** The process and the Runtime API that it speaks to. */
class Sandbox {
  ended = false;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #quota: Quota | undefined;
  readonly #limitsProcessor: boolean;
  #api: RuntimeApi | undefined;
  /** Whether the runtime waits for an invocation. */
  waits = false;
  #idle: Deferred<void> | undefined;
  #answer: Deferred<IncomingMessage> | undefined;
  #failure: FunctionError | undefined;

  static async start(options: InstanceOptions): Promise<Sandbox> {
    let sandbox: Sandbox | undefined;
    const api = await openRuntimeApi({
      onNext: () => sandbox?.onNext(),
      onResponse: (body) => sandbox?.onResponse(body),
      onError: (text) => sandbox?.onError(text),
      onInitError: (text) => sandbox?.kill(new FunctionError('Init', text)),
    });
    sandbox = new Sandbox(options, api.address);
    sandbox.#api = api;
    return sandbox;
  }

  private constructor(options: InstanceOptions, address: string) {
    count += 1;
    const group = `lrs-lambda-${process.pid}-${count}`;
    this.#quota = options.quota === 'none' ? undefined : makeQuota(group, options.memory);
    this.#limitsProcessor = options.quota === 'memory and processor';
    const child = spawnUnder(this.#quota, options, address);
    this.#child = child;
    this.pid = child.pid ?? 0;
    child.stdout?.on('data', (chunk: Buffer) => options.onOutput(chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => options.onOutput(chunk.toString()));
    child.once('error', () => this.#onEnd('it could not be started'));
    child.once('exit', (code, signal) => this.#onEnd(`exit status ${code ?? signal}`));
  }

  onNext(): void {
    this.waits = true;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  onResponse(body: IncomingMessage): void {
    this.#answer?.resolve(body);
  }

  onError(description: string): void {
    this.#answer?.reject(new FunctionError('Unhandled', description));
  }

  #onEnd(reason: string): void {
    this.ended = true;
    const failure = this.#failure ?? new FunctionError('ExitError', `The instance has ended: ${reason}.`);
    this.#failure = failure;
    this.#answer?.reject(failure);
    this.#idle?.reject(failure);
    this.#api?.close();
    this.#quota?.remove();
  }

  limitProcessor(): void {
    if (this.#limitsProcessor) this.#quota?.limitProcessor();
  }

  freeProcessor(): void {
    this.#quota?.freeProcessor();
  }

  freeze(): void {
    if (!this.ended) this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    if (!this.ended) this.#child.kill('SIGCONT');
  }

  idle(): Promise<void> {
    if (this.ended) return Promise.reject(this.#failure);
    if (this.waits) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#idle = { resolve, reject };
    });
  }

  deliver(invocation: Parameters<RuntimeApi['deliver']>[0]): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (this.ended && this.#failure) return reject(this.#failure);
      this.#answer = { resolve, reject };
      this.waits = false;
      this.#api?.deliver(invocation);
    });
  }

  async kill(failure = new FunctionError('killed', 'The instance was killed.')): Promise<void> {
    if (this.ended) return;
    this.#failure ??= failure;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}

const client = join(import.meta.dirname, 'runtime-client.mjs');

function spawnUnder(quota: Quota | undefined, options: InstanceOptions, address: string): ChildProcess {
  const command = [options.node, ...nodeOptions(options.memory), client];
  // The process joins its groups before it becomes Node, so that they count all of it.
  const joins = (quota?.procs ?? []).map((file) => `echo $$ > ${file}`);
  const [program = '', ...args] =
    joins.length === 0 ? command : ['/bin/sh', '-c', [...joins, 'exec "$0" "$@"'].join(' && '), ...command];
  return spawn(program, args, {
    cwd: options.directory,
    env: { ...environmentOf(options, address), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** As Lambda's runtime starts Node: the heap knows how much memory the function has. */
function nodeOptions(memory: number): string[] {
  const young = Math.floor(memory / 10);
  return [
    '--max-http-header-size=81920',
    `--max-semi-space-size=${Math.floor(young / 2)}`,
    `--max-old-space-size=${memory - young}`,
  ];
}

function environmentOf(
  { name, directory, memory, handler = `dist/lambda-${name}.handler` }: InstanceOptions,
  address: string,
): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    _HANDLER: handler,
    LAMBDA_TASK_ROOT: directory,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_RUNTIME_API: address,
    AWS_LAMBDA_FUNCTION_NAME: `lrs-${name}`,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/lrs-${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'emulator',
    AWS_REGION: 'eu-central-1',
    AWS_DEFAULT_REGION: 'eu-central-1',
  };
}
