import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../errors.ts';
import { BackupError } from './error.ts';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A program of a database server's client package. */
export interface ClientProgram {
  readonly name: string;
  /** How to install it, as a clause. */
  readonly installation: string;
}

export interface ClientCall {
  /** All users of the machine can read them, so none is a secret. */
  readonly args: readonly string[];
  /** Secrets belong here: nobody else can read the environment of a process. */
  readonly env: Environment;
  /** The environment of this process. */
  readonly inherited: Environment;
  /** What the program reads as its standard input. */
  readonly input?: Readable;
  /** Ends the program. */
  readonly signal?: AbortSignal | undefined;
}

/** How many lines of a program's report are shown: the last ones, which have the reason. */
const shownLines = 10;
/** How many characters of it are kept. */
const keptReport = 65_536;

/** How long (ms) a program may take to end when it is asked to: it cancels what the server does for it. */
const timeToEnd = 10_000;

/**
 * Runs the program to its end.
 * @throws BackupError when it is missing or fails, with the end of its report; the reason of `signal`, when the program has ended.
 */
export async function runClient({ name, installation }: ClientProgram, call: ClientCall): Promise<void> {
  const { signal } = call;
  signal?.throwIfAborted();
  const child = spawn(name, call.args, {
    env: { ...inheritable(call.inherited), ...call.env },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let report = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    report = (report + text).slice(-keptReport);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const end = (): void => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), timeToEnd).unref();
  };
  signal?.addEventListener('abort', end, { once: true });
  const fed = feed(child.stdin, call.input).catch((error: unknown) => error);
  const status = await ended
    .catch((cause: unknown) => {
      if (codeOf(cause) !== 'ENOENT') throw cause;
      throw new BackupError(`The program ${name} is not installed: ${installation}.`, { cause });
    })
    .finally(() => signal?.removeEventListener('abort', end));
  if (status !== 0 || child.killed) signal?.throwIfAborted();
  if (status !== 0) {
    throw new BackupError(`${name} failed:\n${report.trimEnd().split('\n').slice(-shownLines).join('\n')}`);
  }
  const failure = await fed;
  if (failure !== undefined) throw new BackupError("The backup can't be read.", { cause: failure });
}

async function feed(program: NodeJS.WritableStream, input: Readable | undefined): Promise<void> {
  if (input === undefined) program.end();
  else await pipeline(input, program);
}

/** Without variables that change where the programs connect to, and without the settings of the LRS. */
function inheritable(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(PG|MYSQL|MARIADB|LRS)/.test(name)));
}
