import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadConfigWithSecrets } from '../../config/config.ts';
import type { ConfigSource } from '../../config/sources.ts';
import type { Config, Secrets } from '../../config/types.ts';
import { firstAccountAdvice } from '../../lib/accounts/types.ts';
import { readKeyPair } from '../../lib/adapter/certificate.ts';
import { databaseOptions } from '../../lib/database-options.ts';
import { checkHosts, checkOtherHosts, checkReadHosts, readHostsOf } from '../../lib/db/connect.ts';
import { openFunctionDatabase } from '../../lib/db/function-database.ts';
import { createReadiness } from '../../lib/db/readiness.ts';
import type { ReadSession } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { releaseWarnings } from '../../lib/node-release.ts';
import { printableLines } from '../../lib/printable.ts';
import { createScanner } from '../../lib/scanning/service.ts';
import { placeOfStore, storeServerNames } from '../../lib/store-config.ts';
import { selectOneByServer } from '../../lib/stores/one-by-server.ts';
import type { Store } from '../../lib/stores/types.ts';
import { selectUnnamedServers } from '../../lib/stores/unnamed-servers.ts';
import { requireDatabaseFile } from '../existing-database.ts';
import { failureReasons } from '../failure-reasons.ts';
import { expiryFinding } from './certificate.ts';
import { type Finding, failed, lookedAt, ok, warning } from './finding.ts';
import { schemaRights } from './schema-rights.ts';

const gibibyte = 1024 ** 3;
/** Free bytes below which a disk soon is, or is, too full. */
const spare = { warning: 2 * gibibyte, failed: gibibyte / 8 };

interface Checked {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly cwd: string;
}

/** Examines the configuration of this folder and environment: its files, its database and what it opens to others. */
export async function examineHere(source: ConfigSource): Promise<readonly Finding[]> {
  const { cwd } = source;
  let loaded: Awaited<ReturnType<typeof loadConfigWithSecrets>>;
  try {
    loaded = await loadConfigWithSecrets(source);
  } catch (error) {
    return failureReasons(error).map((reason) => failed('configuration', reason));
  }
  const { config, secrets, warnings } = loaded;
  const checked = { config, secrets, cwd };
  const parts = await Promise.all([
    lookedAt('disk', () => disk(checked)),
    lookedAt('certificate', () => certificate(checked)),
    lookedAt('database', () => database(checked)),
    lookedAt('database hosts', () => databaseHosts(checked)),
    lookedAt('stores', () => storeServers(checked)),
    lookedAt('ClamAV', () => scanning(checked)),
  ]);
  return [
    ok('configuration', `It is complete; ${process.version} runs it.`),
    ...warnings.map((text) => warning('configuration', text)),
    ...releaseWarnings(process.versions.node).map((text) => warning('Node.js', text)),
    ...exposure(config),
    ...parts.flat(),
  ];
}

/** Settings that are for trying out, or that only work together with something outside. */
function exposure({ webserver, lrs }: Config): Finding[] {
  return [
    webserver.allowAllOrigins
      ? warning('CORS', 'Pages of every origin may call the LRS: allowAllOrigins is for local tests.')
      : ok('CORS', `Origins: ${webserver.allowedOrigins?.join(', ') ?? 'the addresses of the server'}.`),
    webserver.trustProxy
      ? warning(
          'proxy headers',
          'X-Forwarded-For, -Host and -Proto are believed (trustProxy): nobody may reach the port but through the proxy.',
        )
      : ok(
          'proxy headers',
          'X-Forwarded-For, -Host and -Proto are not believed. Behind a proxy set trustProxy.',
        ),
    ...(webserver.maintenanceMessage === null
      ? []
      : [warning('maintenance', 'Every request is answered 503.')]),
    ...(lrs.readOnly ? [warning('read-only', 'Nothing can be stored: lrs.readOnly is on.')] : []),
  ];
}

function disk({ config: { database: db }, cwd }: Checked): Finding[] {
  if (db.dbType !== 'sqlite') return [ok('disk', 'The database is on a server.')];
  if (db.dbName === ':memory:')
    return [warning('disk', 'The database is in memory: it is lost with the process.')];
  const file = resolve(cwd, db.dbName);
  const folder = dirname(file);
  if (!existsSync(folder)) return [failed('disk', `The folder ${folder} does not exist.`)];
  accessSync(folder, constants.W_OK);
  if (existsSync(file)) accessSync(file, constants.W_OK);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const message = `${folder} can be written and has ${(free / gibibyte).toFixed(1)} GiB left.`;
  if (free < spare.failed) return [failed('disk', message)];
  return [free < spare.warning ? warning('disk', message) : ok('disk', message)];
}

function certificate({ config: { webserver }, secrets, cwd }: Checked): Finding[] {
  const keyFile = resolve(cwd, webserver.keyPkeyFile);
  const [certFile = '', ...chain] = webserver.keyCertChain.map((file) => resolve(cwd, file));
  const pair = readKeyPair({ keyPkeyFile: keyFile, keyCertChain: [certFile, ...chain], ...secrets });
  if (pair === undefined) {
    return webserver.keyEnableSelfie
      ? [
          warning(
            'certificate',
            'HTTPS has a self-signed certificate, which clients do not accept: see keyPkeyFile.',
          ),
        ]
      : [failed('certificate', `Neither ${keyFile} nor ${certFile} exists.`)];
  }
  const cert = new X509Certificate(pair.cert);
  const key = createPrivateKey(pair);
  if (!cert.checkPrivateKey(key)) return [failed('certificate', `${keyFile} is not the key of ${certFile}.`)];
  return [expiryFinding('certificate', cert.validTo)];
}

/** Has the ClamAV daemon, where it is used, scan a short content and one as long as that of a request may be. */
async function scanning({ config }: Checked): Promise<Finding[]> {
  const scanner = createScanner(config.webserver);
  if (scanner === undefined) return [];
  const { clamavHost, clamavPort, maxBodyBytes } = config.webserver;
  const daemon = `clamd at ${clamavHost}:${clamavPort}`;
  const refusal = (length: number): Promise<string | undefined> =>
    scanner.check([{ name: 'trial', bytes: Buffer.alloc(length) }], 'doctor').then(
      () => undefined,
      (error: Error) => printableLines(error.cause instanceof Error ? error.cause.message : error.message),
    );
  const absence = await refusal(1);
  if (absence !== undefined) {
    const advice = 'start it, or check clamavHost and clamavPort';
    return [
      failed('ClamAV', `${daemon} scans nothing, so nothing is stored that must be: ${advice}. ${absence}`),
    ];
  }
  const limit = await refusal(maxBodyBytes);
  if (limit === undefined) return [ok('ClamAV', `${daemon} scans contents.`)];
  const advice = 'set StreamMaxLength in clamd.conf to as many, or maxBodyBytes lower';
  return [
    failed('ClamAV', `${daemon} does not scan ${maxBodyBytes} bytes (maxBodyBytes): ${advice}. ${limit}`),
  ];
}

/** Opens the database without creating it or changing its schema. */
async function database({ config, secrets, cwd }: Checked): Promise<Finding[]> {
  requireDatabaseFile(config, cwd);
  const logger = createLogger('OFF');
  const { db } = await openFunctionDatabase(databaseOptions(config, secrets), logger);
  try {
    const version = await db.read(async (session) => {
      const [row] = await session.select<{ version: string }>(session.dialect.serverSql);
      return row?.version;
    });
    const { dbType } = config.database;
    const reached = ok('database', `${dbType} ${version} answers, with the schema of this release.`);
    await createReadiness(db).check();
    const writable = ok('privileges', 'Tables can be read and written.');
    const rights = await db.read(schemaRights);
    const servers = storeServerNames(secrets);
    const unnamed = config.stores.enableStores
      ? await db.read((session) => selectUnnamedServers(session, servers))
      : [];
    return [
      ...[reached, writable, ...rights, await db.read(clock), await db.read(accounts)],
      ...unnamed.map(({ text }) => warning('stores', text)),
    ];
  } catch (error) {
    return failureReasons(error).map((reason) => failed('database', reason));
  } finally {
    await db.close();
  }
}

/** Those to which the database may move, of which there are none without several hosts, and those that serve reads. */
async function databaseHosts({ config, secrets }: Checked): Promise<Finding[]> {
  const options = databaseOptions(config, secrets);
  const [hosts, readHosts] = await Promise.all([checkOtherHosts(options), checkReadHosts(options)]);
  const faultless = readHostsOf(options).filter((name) => readHosts.every(({ host }) => host !== name));
  return [
    ...faultless.map((host) => ok('read replicas', `No fault is found in ${host} (dbReadHosts).`)),
    ...hosts.map(({ host, reason }) =>
      warning('database hosts', `The database could not move to ${host}: ${reason}`),
    ),
    ...readHosts.map(({ host, reason }) =>
      warning('read replicas', `No reads can be sent to ${host} (dbReadHosts): ${reason}`),
    ),
  ];
}

/** The database servers of stores, where there may be any. */
async function storeServers(checked: Checked): Promise<Finding[]> {
  const { config, secrets } = checked;
  if (!config.stores.enableStores) return [];
  const servers = Object.entries(secrets.storeServers ?? {});
  const stores = servers.some(([, { replicas }]) => replicas !== undefined) ? await oneByServer(checked) : [];
  const findings = servers.map(async ([name, options]) => {
    // The tables that tell a replica from another server are in the databases of stores.
    const store = stores.find(({ server }) => server === name);
    const withTables = store === undefined ? options : placeOfStore(checked, store).database;
    const [hosts, readHosts] = await Promise.all([checkHosts(options), checkReadHosts(withTables)]);
    return [
      ...hosts.map(({ host, reason }) =>
        warning('stores', `The server ${name} (stores.storesServers) can't be used at ${host}: ${reason}`),
      ),
      ...readHosts.map(({ host, reason }) =>
        warning(
          'read replicas',
          `No reads can be sent to ${host} (readHosts of ${name} in stores.storesServers): ${reason}`,
        ),
      ),
    ];
  });
  return (await Promise.all(findings)).flat();
}

/** A store on each server; none while the database that registers them can't be read, which is a finding of its own. */
async function oneByServer({ config, secrets }: Checked): Promise<readonly Pick<Store, 'name' | 'server'>[]> {
  try {
    const { db } = await openFunctionDatabase(databaseOptions(config, secrets), createLogger('OFF'));
    return await db.read(selectOneByServer).finally(() => db.close());
  } catch {
    return [];
  }
}

/** Positions are times, so a clock that has been set back shows in the newest one. */
async function clock(session: ReadSession): Promise<Finding> {
  const [row] = await session.select<{ newest: number | null }>(
    'SELECT MAX(position) AS newest FROM statement',
  );
  const ahead = Math.round(((row?.newest ?? 0) / 1000 - Date.now()) / 1000);
  return ahead > 1
    ? failed('clock', `The newest statement is ${ahead} s in the future: the clock of this machine is late.`)
    : ok('clock', `${new Date().toISOString()}, not before the newest statement.`);
}

async function accounts(session: ReadSession): Promise<Finding> {
  const rows = await session.select('SELECT id FROM admin_account LIMIT 1');
  return rows.length > 0
    ? ok('accounts', 'There is an account to log in with.')
    : warning('accounts', `Nobody can log in: ${firstAccountAdvice}.`);
}
