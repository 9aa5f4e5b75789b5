import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { ConfigError, type LoadedConfig, loadConfigWithSecrets } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { createHandlers } from '../functions/index.ts';
import { maintenanceRouter } from '../functions/ops/maintenance.ts';
import { metricsPortHandler } from '../functions/ops/metrics.ts';
import { createRouter } from '../functions/router.ts';
import { serve } from '../lib/adapter/serve.ts';
import { serveMetrics } from '../lib/adapter/serve-metrics.ts';
import type { RunningServer } from '../lib/adapter/server.ts';
import { databaseOptions } from '../lib/database-options.ts';
import { warnOfHosts, warnOfStoreServer } from '../lib/db/connect.ts';
import { isOnServer } from '../lib/db/dialects/facts.ts';
import { isInMemory } from '../lib/db/dialects/sqlite/options.ts';
import { DatabaseUnusableError } from '../lib/db/unusable.ts';
import { createLogger, type Logger } from '../lib/logger.ts';
import { openLrs } from '../lib/lrs.ts';
import { showLrs } from '../lib/lrs-gauges.ts';
import { releaseWarnings } from '../lib/node-release.ts';
import { served } from '../lib/telemetry/metrics-page.ts';
import { startTelemetry } from '../lib/telemetry/start.ts';
import { commandLine } from './command-line.mjs';
import { readArguments, serveUsage } from './serve-arguments.mjs';
import { collectMetrics, shareMetrics } from './worker-metrics.ts';
import { announce, Workers } from './workers.ts';

/** How long requests in flight may take after a signal to stop. */
const graceMilliseconds = 10_000;

/**
 * How far the heap may grow beyond what was in use when it was last cleaned. By itself Node.js lets it grow fourfold, so that
 * one large batch leaves hundreds of megabytes of garbage behind; much less costs a tenth of the speed of large batches.
 */
const heapGrowthPercent = 100;

setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
await main();

async function main(): Promise<void> {
  const { loaded, workers } = await configured();
  const logger = createLogger(loaded.config.logger.logLevel);
  const warnings = [...releaseWarnings(process.versions.node), ...loaded.warnings];
  if (cluster.isPrimary) for (const warning of warnings) logger.warn(warning);
  try {
    if (workers > 1 && cluster.isPrimary) await lead(workers, logger);
    else await work(loaded, logger);
  } catch (error) {
    logger.debug({ err: error }, 'start failed');
    // A worker has said why it ended.
    fail(workers > 1 && cluster.isPrimary ? [] : [`The server can't start: ${reasonOf(error)}`]);
  }
}

/** Serves in this process, which may be one of several. */
async function work(loaded: LoadedConfig, logger: Logger): Promise<void> {
  const { servers, close } = await withoutRepeating(logger, () => start(loaded, logger));
  const addresses = servers.map(({ url }) => url);
  if (cluster.isPrimary) greet(addresses);
  else announce(addresses);
  stopOnSignal(logger, async () => {
    await stopServers(servers);
    await close();
  });
}

interface Started {
  readonly servers: readonly RunningServer[];
  close(): Promise<void>;
}

function start(loaded: LoadedConfig, logger: Logger): Promise<Started> {
  const { maintenanceMessage: message } = loaded.config.webserver;
  return message === null ? open(loaded, logger) : maintain(loaded, logger, message);
}

/** Serves nothing but the message, without a database. */
async function maintain(
  { config, secrets }: LoadedConfig,
  logger: Logger,
  message: string,
): Promise<Started> {
  const configured = { config, logger, knownConsistentThrough: () => 0 };
  const route = maintenanceRouter(async () => configured, message);
  const { webserver } = config;
  const servers = await serve({ webserver, keyPassword: secrets.keyPassword, route, logger });
  logger.warn('maintenance: every request is answered with webserver.maintenanceMessage');
  return { servers, close: async () => {} };
}

async function open({ config, secrets }: LoadedConfig, logger: Logger): Promise<Started> {
  const { webserver, telemetry: settings } = config;
  const telemetry = await startTelemetry({ settings, secrets, logger, worker: cluster.worker?.id });
  const { page } = served;
  if (page !== undefined && cluster.isWorker) served.page = { ...page, read: shareMetrics(page.read) };
  const lrs = await openLrs(config, secrets, logger);
  const hide = showLrs(lrs);
  const configured = () => lrs;
  const route = createRouter(createHandlers(configured), webserver.urlPrefix);
  const servers = await serve({ webserver, keyPassword: secrets.keyPassword, route, logger });
  const handler = metricsPortHandler(configured);
  const metrics = await serveMetrics({ settings, webserver, handler, logger });
  if (metrics !== undefined) servers.push(metrics);
  lrs.feed.start();
  if (config.lrs.readOnly && isFirst()) logger.warn('read-only: nothing can be stored (lrs.readOnly)');
  // A host that does not respond delays no start.
  if (isFirst()) warnOfServers({ config, secrets }, logger);
  const close = async (): Promise<void> => {
    hide();
    await lrs.close();
    await telemetry.stop();
  };
  return { servers, close };
}

function warnOfServers({ config, secrets }: Pick<LoadedConfig, 'config' | 'secrets'>, logger: Logger): void {
  void warnOfHosts(databaseOptions(config, secrets), logger);
  if (!config.stores.enableStores) return;
  for (const [name, options] of Object.entries(secrets.storeServers ?? {}))
    void warnOfStoreServer(name, options, logger);
}

/** Whether no other worker has been started before this process. */
function isFirst(): boolean {
  return cluster.worker === undefined || cluster.worker.id === 1;
}

/** All workers find the same at their start, e.g. that there is no account; after the first one they log only errors then. */
async function withoutRepeating<T>(logger: Logger, start: () => Promise<T>): Promise<T> {
  const { level } = logger;
  if (!isFirst() && logger.isLevelEnabled('warn')) logger.level = 'error';
  try {
    return await start();
  } finally {
    logger.level = level;
  }
}

/** Has other processes serve and keeps their number. */
async function lead(count: number, logger: Logger): Promise<void> {
  const workers = new Workers(import.meta.filename, logger);
  collectMetrics();
  stopOnSignal(logger, () => workers.stop());
  greet(await workers.start(count));
}

function greet(addresses: readonly string[]): void {
  console.log(`serverless-lrs listens on ${addresses.join(' and ')}`);
}

async function configured(): Promise<{ readonly loaded: LoadedConfig; readonly workers: number }> {
  try {
    const { settings, workers } = commandLine(readArguments, serveUsage);
    const loaded = await loadConfigWithSecrets(processSource(settings));
    const { database } = loaded.config;
    if (workers > 1 && !isOnServer(database) && isInMemory(database)) {
      fail(['--workers: processes can not share a database in memory; use a file or a server.']);
    }
    return { loaded, workers };
  } catch (error) {
    fail(error instanceof ConfigError ? error.problems : [reasonOf(error)]);
  }
}

/** The message, and behind a general one what it comes from. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof DatabaseUnusableError ? error.cause.message : error.message;
}

function fail(lines: readonly string[]): never {
  for (const line of lines) console.error(line);
  process.exit(1);
}

async function stopServers(servers: readonly RunningServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop(graceMilliseconds)));
}

function stopOnSignal(logger: Logger, end: () => Promise<void>): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.info('stopping: requests in flight are finished first');
    await end();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
