import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import mariadb, { type ConnectionConfig } from 'mariadb';
import pg from 'pg';
import { generate } from 'selfsigned';
import { freePort } from './free-port.ts';
import { type Owner, ownerOf, searchPath } from './installed-programs.ts';
import { installMariadb, mariadbFiles, mariadbPrograms } from './mariadb-programs.ts';
import { conditionLimit } from './time-limits.ts';

const run = promisify(execFile);

/** A database server of one's own, on an empty folder; it may be killed and started again. */
export interface PrivateServer {
  /** Of a user that may create databases. */
  readonly url: string;
  /** The file of the certificate, for `localhost` and signed by itself, that it shows to clients that ask for TLS. */
  readonly certificateFile: string;
  /** Ends it at once, as `kill -9` does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

type ServerKind = 'postgres' | 'mariadb';

/** The programs of one kind of server. */
interface Programs {
  /** The user that the server's package has made, because no server runs as root. */
  readonly user: string;
  initialise(folder: string, owner: Owner): Promise<void>;
  run(folder: string, port: number, owner: Owner): ChildProcess;
  url(port: number): string;
  answers(url: string): Promise<boolean>;
}

/** Whether the programs of such a server are installed. */
export const hasPrivateServer = (kind: ServerKind): boolean => programsOf(kind) !== undefined;

/** @returns undefined when its programs are not installed. */
export async function startPrivateServer(kind: ServerKind): Promise<PrivateServer | undefined> {
  const programs = programsOf(kind);
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), `lrs-${kind}-`));
  const owner = ownerOf(folder, programs.user);
  const port = await freePort();
  const url = programs.url(port);
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  const start = async () => {
    const started = programs.run(folder, port, owner);
    child = started;
    for (const deadline = Date.now() + conditionLimit; !(await programs.answers(url)); await sleep(100)) {
      if (started.exitCode === null && Date.now() < deadline) continue;
      await kill();
      throw new Error(`The private ${kind} does not start.`);
    }
  };
  await programs.initialise(folder, owner);
  await makeCertificate(folder, owner);
  await start();
  return {
    url,
    certificateFile: join(folder, certificate),
    kill,
    start,
    remove: async () => {
      await kill();
      // Its processes may still be ending.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

const programsOf = (kind: ServerKind) => (kind === 'postgres' ? privatePostgres() : privateMariadb());

/** The folder of Postgres' programs; undefined when they are not installed. */
export function postgresFolder(): string | undefined {
  // Debian keeps them outside of the path, in a folder for each version.
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(root, version, 'bin')), ...searchPath()];
  return folders.find((each) => existsSync(join(each, 'initdb')) && existsSync(join(each, 'postgres')));
}

function privatePostgres(): Programs | undefined {
  const bin = postgresFolder();
  if (bin === undefined) return undefined;
  return {
    user: 'postgres',
    initialise: async (folder, owner) => {
      const login = ['-U', 'postgres', '-A', 'trust'];
      const options = ['-D', join(folder, 'data'), ...login, '-E', 'UTF8', '--no-sync'];
      await run(join(bin, 'initdb'), options, { ...owner });
    },
    run: (folder, port, owner) => {
      const options = ['-D', join(folder, 'data'), '-p', String(port), '-k', folder];
      const settings = {
        listen_addresses: '127.0.0.1',
        ssl: 'on',
        ssl_cert_file: join(folder, certificate),
        ssl_key_file: join(folder, key),
      };
      const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      return spawn(join(bin, 'postgres'), [...options, ...set], { ...owner, stdio: 'ignore' });
    },
    url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
    answers: postgresAnswers,
  };
}

function privateMariadb(): Programs | undefined {
  const programs = mariadbPrograms();
  if (programs === undefined) return undefined;
  const { server, installer } = programs;
  return {
    user: 'mysql',
    initialise: (folder, owner) => installMariadb(installer, folder, owner),
    run: (folder, port, owner) => {
      const tls = [`--ssl-cert=${join(folder, certificate)}`, `--ssl-key=${join(folder, key)}`];
      const listening = [`--port=${port}`, '--bind-address=127.0.0.1'];
      return spawn(server, ['--no-defaults', ...mariadbFiles(folder), ...tls, ...listening], {
        ...owner,
        stdio: 'ignore',
      });
    },
    url: (port) => `mariadb://root@127.0.0.1:${port}/`,
    answers: mariadbAnswers,
  };
}

/** Whether one can log in at the address. */
export async function postgresAnswers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether one can log in at the address. */
export async function mariadbAnswers(url: string): Promise<boolean> {
  try {
    const connection = await mariadb.createConnection(mariadbLogin(url));
    await connection.end();
    return true;
  } catch {
    return false;
  }
}

function mariadbLogin(url: string): ConnectionConfig {
  const { hostname: host, port, username, password } = new URL(url);
  return {
    host,
    port: Number(port) || 3306,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    connectTimeout: 10_000,
  };
}

/** Drops the databases whose names begin so. */
export async function dropPostgresDatabases(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const named = 'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)';
    const { rows } = await client.query<{ name: string }>(named, [prefix]);
    for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/** Drops the databases whose names begin so. */
export async function dropMariadbDatabases(url: string, prefix: string): Promise<void> {
  const connection = await mariadb.createConnection(mariadbLogin(url));
  try {
    const named =
      'SELECT schema_name AS name FROM information_schema.schemata WHERE LEFT(schema_name, ?) = ?';
    const rows: { readonly name: string }[] = await connection.query(named, [prefix.length, prefix]);
    for (const { name } of rows) await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
  } finally {
    await connection.end();
  }
}

const certificate = 'certificate.pem';
const key = 'key.pem';

async function makeCertificate(folder: string, { uid, gid }: Owner): Promise<void> {
  const altNames = [{ type: 2 as const, value: 'localhost' }];
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  for (const [file, content] of [
    [certificate, made.cert],
    [key, made.private],
  ] as const) {
    writeFileSync(join(folder, file), content, { mode: 0o600 });
    if (uid !== undefined && gid !== undefined) chownSync(join(folder, file), uid, gid);
  }
}
