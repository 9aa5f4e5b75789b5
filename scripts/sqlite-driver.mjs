import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { lastLines, run } from './child.mjs';
import { root } from './installed.mjs';
import { step } from './steps.mjs';

const minute = 60_000;

/**
 * Makes sure that a server has the driver that it needs, as far as its settings say without being checked.
 * @param {Record<string, string | undefined>} env with the settings that its arguments stand for
 */
export async function ensureDriverFor(env) {
  if (usesSqlite(env)) await ensureSqliteDriver(env.LRS_SQLITE_DRIVER || databaseSettings(env).sqliteDriver);
}

/** Whether these are the settings of a server that uses SQLite. */
export function usesSqlite(env) {
  const given = env.LRS_DB_TYPE || env.LRSQL_DB_TYPE || databaseSettings(env).dbType;
  return !/^(postgres|mariadb|mysql)/.test(given ?? '');
}

/**
 * Makes sure that there is a driver for SQLite. Node.js may contain one; else it is the package `sqlite3`, whose native part is
 * downloaded where there is one for this platform, else compiled. Ends the process, with what to do, when neither is possible.
 * @param {string | undefined} wanted the value of the setting `sqliteDriver`
 */
export async function ensureSqliteDriver(wanted) {
  if (isUsable() || (isInNode() && wanted !== 'sqlite3')) return;
  const isDownloaded = await step('Looking for a SQLite driver to download', download, 'a few seconds');
  if (isDownloaded) return;
  console.error('  there is none for this platform, or it could not be downloaded');
  const missing = missingTools();
  if (missing.length > 0) {
    fail(`Compiling it needs ${missing.join(' and ')}, which this machine does not have.`);
  }
  const { ok, output } = await step(
    `Compiling the SQLite driver on ${availableParallelism()} cores`,
    compile,
    'two to five minutes of processor time, once',
  );
  if (ok && isUsable()) return;
  console.error(lastLines(output));
  fail('Compiling it failed; see the lines above.');
}

/** The group `database` of the configuration file. */
function databaseSettings(env) {
  const file = join(root, env.LRS_CONFIG || env.LRSQL_USER_CONFIG_JSON || 'config/lrs.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')).database ?? {};
  } catch {
    // A file that is missing says nothing, and one that is wrong is for the server to report.
    return {};
  }
}

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
  return run([...command, '--foreground-scripts'], { cwd: root, env: { JOBS: 'max' } });
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

function fail(reason) {
  console.error(`The SQLite driver is missing: none could be downloaded for this platform. ${reason}
  Debian, Ubuntu:  apt-get install python3 make g++
  Fedora:          dnf install python3 make gcc-c++
  Alpine:          apk add python3 make g++
  macOS:           xcode-select --install
Then start again. Node.js 22.13 and newer need no such driver, and neither do Postgres and MariaDB: npm run start:postgres, npm run start:mariadb.`);
  process.exit(1);
}
