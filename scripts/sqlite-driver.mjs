import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { lastLines, run } from './child.mjs';
import { readConfigurationFile } from './configuration-file.cjs';
import { root } from './installed.mjs';
import { step } from './steps.mjs';

const minute = 60_000;

/**
 * Makes sure that a server has the driver that it needs, as far as its settings say without being checked.
 * @param {Record<string, string | undefined>} env with the settings that its arguments stand for
 */
export async function ensureDriverFor(env) {
  if (usesSqlite(env)) await ensureSqliteDriver(wantedDriver(env));
}

/**
 * The same for a build, which does without where there is no way to get one: the settings may be elsewhere, and name a database
 * that needs none.
 * @param {Record<string, string | undefined>} env
 */
export async function provideDriverFor(env) {
  if (!usesSqlite(env)) return;
  const problem = await provideSqliteDriver(wantedDriver(env));
  if (problem !== undefined) console.error(advice(problem));
}

/** Whether these are the settings of a server that uses SQLite. */
export function usesSqlite(env) {
  const file = databaseSettings(env);
  const url = env.LRS_DB_JDBC_URL || env.LRS_DATABASE_URL || env.LRSQL_DB_JDBC_URL || file.dbJdbcUrl;
  const type = env.LRS_DB_TYPE || env.LRSQL_DB_TYPE || file.dbType;
  const platform = isPlaced(env, file) ? undefined : env.DATABASE_URL;
  return !/^(jdbc:)?(postgres|mariadb|mysql)/.test(url || type || platform || '');
}

/** Whether a setting says where the database is: then `DATABASE_URL` does not count. */
const isPlaced = (env, { dbName, dbHost, dbPort }) =>
  ['NAME', 'HOST', 'PORT'].some((name) => env[`LRS_DB_${name}`] || env[`LRSQL_DB_${name}`]) ||
  [dbName, dbHost, dbPort].some((setting) => setting !== undefined);

/** The value of the setting `sqliteDriver`. */
export const wantedDriver = (env) => env.LRS_SQLITE_DRIVER || databaseSettings(env).sqliteDriver;

/**
 * Makes sure that there is a driver for SQLite; ends the process, with what to do, when there is no way to get one.
 * @param {string | undefined} wanted the value of the setting `sqliteDriver`
 */
export async function ensureSqliteDriver(wanted) {
  const problem = await provideSqliteDriver(wanted);
  if (problem === undefined) return;
  console.error(advice(problem));
  process.exit(1);
}

/**
 * Node.js may contain a driver; else it is the package `sqlite3`, whose native part is downloaded where there is one for this
 * platform, else compiled.
 * @returns why neither is possible; undefined when there is a driver.
 */
async function provideSqliteDriver(wanted) {
  if (isUsable() || (isInNode() && wanted !== 'sqlite3')) return undefined;
  const isDownloaded = await step('Looking for a SQLite driver to download', download, 'a few seconds');
  if (isDownloaded) return undefined;
  console.error('  there is none for this platform, or it could not be downloaded');
  const missing = missingTools();
  if (missing.length > 0) {
    return `Compiling it needs ${missing.join(' and ')}, which this machine does not have.`;
  }
  const { ok, output } = await step(
    `Compiling the SQLite driver on ${availableParallelism()} cores`,
    compile,
    'two to five minutes of processor time, once',
  );
  if (ok && isUsable()) return undefined;
  console.error(lastLines(output));
  return 'Compiling it failed; see the lines above.';
}

/** The group `database` of the configuration file. */
const databaseSettings = (env) => readConfigurationFile(env).database ?? {};

function isInNode() {
  return process.getBuiltinModule?.('node:sqlite') !== undefined;
}

function isUsable() {
  try {
    createRequire(join(root, 'package.json'))('sqlite3');
    return true;
  } catch {
    return false;
  }
}

async function download() {
  const program = join(root, 'node_modules/prebuild-install/bin.js');
  const cwd = join(root, 'node_modules/sqlite3');
  const { ok } = await run([process.execPath, program, '-r', 'napi'], { cwd, limit: minute });
  return ok && isUsable();
}

function compile() {
  const command = ['npm', 'rebuild', 'sqlite3', '--build-from-source', '--loglevel=error'];
  const headers = headersFolder(process);
  const env = { JOBS: 'max', ...(headers !== undefined && { npm_config_nodedir: headers }) };
  return run([...command, '--foreground-scripts'], { cwd: root, env });
}

/**
 * The folder of the headers that belong to a Node.js, which most packages and archives of it contain; node-gyp downloads them from
 * nodejs.org otherwise.
 * @param {{ readonly execPath: string, readonly version: string }} node
 * @returns {string | undefined}
 */
export function headersFolder({ execPath, version }) {
  const folder = dirname(dirname(execPath));
  try {
    const text = readFileSync(join(folder, 'include/node/node_version.h'), 'utf8');
    const found = ['MAJOR', 'MINOR', 'PATCH'].map(
      (part) => new RegExp(`^#define NODE_${part}_VERSION (\\d+)$`, 'm').exec(text)?.[1],
    );
    return `v${found.join('.')}` === version ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** What node-gyp would look for in vain. */
function missingTools() {
  if (process.platform === 'win32') return [];
  const { CXX, PYTHON, npm_config_python: python } = process.env;
  const tools = [
    ['Python 3', [python ?? PYTHON ?? 'python3', 'python']],
    ['make', ['make', 'gmake']],
    ['a C++ compiler', [CXX?.split(' ')[0] ?? 'c++', 'g++', 'clang++']],
  ];
  return tools.filter(([, programs]) => !programs.some(isProgram)).map(([name]) => name);
}

function isProgram(name) {
  const folders = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, name)));
}

const advice = (
  problem,
) => `The SQLite driver is missing: none could be downloaded for this platform. ${problem}
  Debian, Ubuntu:  apt-get install python3 make g++
  Fedora:          dnf install python3 make gcc-c++
  Alpine:          apk add python3 make g++
  macOS:           xcode-select --install
The driver is downloaded from github.com; the headers of Node.js, which compiling it needs, from nodejs.org where they are not installed.
Then start again. Node.js 22.13 and newer need no such driver, and neither do Postgres and MariaDB: npm run start:postgres, npm run start:mariadb.`;
