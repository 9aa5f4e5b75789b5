import { join } from 'node:path';
import type { LoadedConfig } from '../../config/config.ts';
import { processSource } from '../../config/env.ts';
import { withNamedSecrets } from '../../config/named-secrets.ts';
import { readPackagedConfig } from '../../config/packaged.ts';
import type { FunctionLrs } from '../../lib/function-lrs.ts';
import { createLogger, earlyLogger, type Logger } from '../../lib/logger.ts';
import type { ConfiguredLrs, Lrs } from '../../lib/lrs.ts';

/* What all functions of a process share: its configuration and, where one needs it, the LRS over its one connection. */

interface Configured {
  readonly loaded: LoadedConfig;
  readonly logger: Logger;
}

/** What packing has made of the settings lies beside the bundles. */
const packagedFile = join(import.meta.dirname, 'settings.json');

let configuration: Promise<Configured> | undefined;
let opening: Promise<FunctionLrs> | undefined;
let opened: FunctionLrs | undefined;

/** Reads the configuration, once. @throws ConfigError */
function configure(): Promise<Configured> {
  configuration ??= loadConfiguration();
  return configuration;
}

async function loadConfiguration(): Promise<Configured> {
  const source = processSource();
  const loaded =
    readPackagedConfig(packagedFile, source) ?? (await import('../../config/config.ts')).loadConfig(source);
  const logger = createLogger(loaded.config.logger.logLevel);
  earlyLogger.level = logger.level;
  for (const warning of loaded.warnings) logger.warn(warning);
  return { loaded, logger };
}

/** What of the LRS is there without its database. */
export async function configured(): Promise<ConfiguredLrs> {
  const { loaded, logger } = await configure();
  const knownConsistentThrough = (): number => opened?.lrs.knownConsistentThrough() ?? 0;
  return { config: loaded.config, logger, knownConsistentThrough };
}

/** An LRS that could not be opened is tried again by the next call. */
export function openedFunction(): Promise<FunctionLrs> {
  opening ??= openConfigured().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function openConfigured(): Promise<FunctionLrs> {
  const [{ loaded, logger }, { openFunctionLrs }] = await Promise.all([
    configure(),
    import('../../lib/function-lrs.ts'),
  ]);
  const { config, secrets } = await withNamedSecrets(loaded, processSource());
  opened = await openFunctionLrs(config, secrets, logger);
  return opened;
}

/** The LRS, which the first call that needs it opens. */
export const open = async (): Promise<Lrs> => (await openedFunction()).lrs;

/**
 * Opens it while the function starts, when nobody waits and the processor is fast. What fails is for the first call to tell,
 * which tries again.
 */
export async function openNow(): Promise<void> {
  await openedFunction().catch(() => undefined);
}

/** Lambda may freeze the process as soon as a request is answered. */
export const abandonUnfinished = (): void => opened?.abandonUnfinished();
