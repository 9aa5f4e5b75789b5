import { ConfigError, type LoadedConfig, loadConfig } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { createHandlers } from '../functions/index.ts';
import { createRouter } from '../functions/router.ts';
import { serve } from '../lib/adapter/serve.ts';
import type { RunningServer } from '../lib/adapter/server.ts';
import { createLogger, type Logger } from '../lib/logger.ts';
import { type Lrs, openLrs } from '../lib/lrs.ts';

/** How long requests in flight may take after a signal to stop. */
const graceMilliseconds = 10_000;

await main();

async function main(): Promise<void> {
  const { config, secrets, warnings } = configured();
  const logger = createLogger(config.logger.logLevel);
  for (const warning of warnings) logger.warn(warning);
  try {
    const lrs = await openLrs(config, secrets, logger);
    const { webserver } = config;
    const route = createRouter(
      createHandlers(() => Promise.resolve(lrs)),
      webserver.urlPrefix,
    );
    const servers = await serve({ webserver, keyPassword: secrets.keyPassword, route, logger });
    console.log(`serverless-lrs listens on ${servers.map(({ url }) => url).join(' and ')}`);
    stopOnSignal(servers, lrs, logger);
  } catch (error) {
    logger.debug({ err: error }, 'start failed');
    fail([`The server can't start: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function configured(): LoadedConfig {
  try {
    return loadConfig(processSource());
  } catch (error) {
    if (error instanceof ConfigError) fail(error.problems);
    throw error;
  }
}

function fail(lines: readonly string[]): never {
  for (const line of lines) console.error(line);
  process.exit(1);
}

function stopOnSignal(servers: readonly RunningServer[], lrs: Lrs, logger: Logger): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.info('stopping: requests in flight are finished first');
    await Promise.all(servers.map((server) => server.stop(graceMilliseconds)));
    await lrs.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
