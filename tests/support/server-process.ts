import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { DatabaseOptions } from '../../lib/db/dialects/engine.ts';
import { recordPrinted } from './disclosure/record.ts';

/** A server in a process of its own, on free ports of this machine. */
export interface ServerProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when the first line is there. */
  firstLine(): Promise<string>;
  /** The origin in the first line. */
  origin(): Promise<string>;
  /** The status that it ends with; resolves when all that it has printed is there. */
  exit(): Promise<number | null>;
}

export function startServerProcess(options: {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** The file of the program. */
  readonly program: string;
  /** The user that runs it: the one of the tests unless given. */
  readonly user?: number;
}): ServerProcess {
  const { directory, env, args = [], program, user } = options;
  const ports = { LRS_HTTP_HOST: '127.0.0.1', LRS_HTTP_PORT: '0', LRS_SSL_PORT: '0' };
  const child = spawn(process.execPath, [program, ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...ports, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user !== undefined && { uid: user, gid: user }),
  });
  const closed = once(child, 'close');
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    recordPrinted(chunk.toString());
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
    recordPrinted(chunk.toString());
  });
  const firstLine = async () => {
    while (!out.includes('\n')) {
      if (child.exitCode !== null) throw new Error(`The server ended before it listened: ${err}`);
      await Promise.race([once(child.stdout, 'data'), closed]);
    }
    return out.split('\n')[0] ?? '';
  };
  return {
    child,
    out: () => out,
    err: () => err,
    firstLine,
    origin: async () => /http:\/\/\S+/.exec(await firstLine())?.[0] ?? '',
    async exit() {
      await closed;
      return child.exitCode;
    },
  };
}

/** The environment of a server on the database. */
export function databaseSettings(options: DatabaseOptions): Record<string, string> {
  if (options.dbType === 'sqlite')
    return { LRS_DB_NAME: options.dbName, LRS_SQLITE_DRIVER: options.sqliteDriver ?? 'auto' };
  const { dbHost, dbPort, dbName, dbUser, dbPassword, dbPooler } = options;
  return {
    LRS_DB_TYPE: options.dbType,
    LRS_DB_HOST: dbHost,
    LRS_DB_NAME: dbName,
    LRS_DB_USER: dbUser,
    ...(dbPooler && { LRS_DB_POOLER: 'true' }),
    ...(dbPort && { LRS_DB_PORT: String(dbPort) }),
    ...(dbPassword !== undefined && { LRS_DB_PASSWORD: dbPassword }),
  };
}
